import type { Attributes, Meter } from "@opentelemetry/api";
import { type MetricName, type MetricOperation, metrics } from "./metric-operation.ts";
import { definedAttributes } from "./span-writer.ts";

/** Records values with a meter. */
export interface MetricWriter {
  apply(operation: MetricOperation): void;
}

type Recorder = (value: number, attributes: Attributes) => void;

export function createMetricWriter(meter: Meter): MetricWriter {
  const recorders = new Map<MetricName, Recorder>();

  /** An instrument is created when it is used first. */
  function recorder(name: MetricName): Recorder {
    const known = recorders.get(name);
    if (known !== undefined) return known;
    const created = metrics[name].instrument === "counter" ? counter(name) : histogram(name);
    recorders.set(name, created);
    return created;
  }

  function counter(name: MetricName): Recorder {
    const { unit, description } = metrics[name];
    const instrument = meter.createCounter(name, { unit, description });
    return (value, attributes) => instrument.add(value, attributes);
  }

  function histogram(name: MetricName): Recorder {
    const { unit, description, buckets = [] } = metrics[name];
    const instrument = meter.createHistogram(name, {
      unit,
      description,
      advice: { explicitBucketBoundaries: [...buckets] },
    });
    return (value, attributes) => instrument.record(value, attributes);
  }

  return {
    apply: ({ metric, value, attributes }) => recorder(metric)(value, definedAttributes(attributes)),
  };
}
