import type { Model } from "@sheepdog/agent";
import type { ScriptedModel } from "@sheepdog/agent/testing";
import type { Step } from "./step.ts";

/** A model with a step before a request, after it, and before each part of its stream. */
export function steppedModel(model: ScriptedModel, step: Step): Model {
  return {
    ...model,
    async doStream(options) {
      await step("request: before");
      const { stream, ...rest } = await model.doStream(options);
      step("request: after");
      const reader = stream.getReader();
      return {
        ...rest,
        stream: new ReadableStream<StreamPart>({
          async pull(controller) {
            const { done, value } = await reader.read();
            step(`stream: ${done ? "end" : value.type}`);
            if (done) controller.close();
            else controller.enqueue(value);
          },
          cancel: (reason) => reader.cancel(reason),
        }),
      };
    },
  };
}

type StreamPart =
  Awaited<ReturnType<ScriptedModel["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;
