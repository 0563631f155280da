import { type FieldType, fieldOf, isMessage, type MessageName } from "./otlp-schema.ts";

/** A decoded message, as its JSON form is: ids in hex, times as strings. */
export type Decoded = Readonly<Record<string, unknown>>;

/** Decodes a message strictly: throws for an unknown field, a wrong wire type, or bytes that do not fit. */
export function decode(message: MessageName, data: Uint8Array): Decoded {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const result: Record<string, unknown> = {};
  let at = 0;

  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = view.getUint8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
      if (shift > 63n) throw new Error(`Expected a varint in ${message}.`);
    }
  }

  function bytes(): Uint8Array {
    const length = Number(varint());
    if (at + length > data.byteLength) throw new Error(`Expected ${length} bytes in ${message}, got fewer.`);
    at += length;
    return data.subarray(at - length, at);
  }

  function value(type: FieldType, wire: number): unknown {
    const expected = wireOf(type);
    if (wire !== expected) throw new Error(`Expected the wire type ${expected} in ${message}, got ${wire}.`);
    if (isMessage(type)) return decode(type, bytes());
    switch (type) {
      case "string":
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes());
      case "bytes":
        return Buffer.from(bytes()).toString("hex");
      case "varint":
        return Number(BigInt.asIntN(64, varint()));
      case "fixed32":
        at += 4;
        return view.getUint32(at - 4, true);
      case "fixed64":
        at += 8;
        return view.getBigUint64(at - 8, true).toString();
      case "double":
        at += 8;
        return view.getFloat64(at - 8, true);
      default:
        return type satisfies never;
    }
  }

  while (at < data.byteLength) {
    const tag = Number(varint());
    const field = fieldOf(message, tag >>> 3);
    if (field === undefined) throw new Error(`Expected a field of ${message}, got the number ${tag >>> 3}.`);
    const { name, type, isRepeated } = field;
    const read = value(type, tag & 7);
    if (isRepeated === true) result[name] = [...((result[name] ?? []) as readonly unknown[]), read];
    else if (name in result) throw new Error(`Expected one ${name} in ${message}.`);
    else result[name] = read;
  }
  return result;
}

function wireOf(type: FieldType): number {
  if (type === "varint") return 0;
  if (type === "fixed64" || type === "double") return 1;
  return type === "fixed32" ? 5 : 2;
}
