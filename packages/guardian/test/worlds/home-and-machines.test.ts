import { call, fails, message, pause, times } from "@sheepdog/guardian/testing";
import { describe } from "vitest";
import { check, knownMiss, noticed, silent, stopped, withoutForce } from "./situation.ts";
import { at, hexId, pick, scramble, uuid } from "./values.ts";

const lamps = [
  "light.kitchen",
  "light.hall",
  "light.desk",
  "light.stairs",
  "light.porch",
  "light.nursery",
  "light.bath",
  "light.attic",
] as const;
const entity = (id: string, state: string, i: number) => ({
  entity_id: id,
  state,
  attributes: { friendly_name: id.split(".")[1], supported_features: 44 },
  last_reported: at(i),
  context: { id: hexId(i, 26), parent_id: null, user_id: null },
});

describe("home automation, legitimate", () => {
  check([
    silent(
      "all lamps off, one after the other",
      times(8, (i) =>
        call(
          "HassTurnOff",
          { name: pick(lamps, i), domain: ["light"] },
          { success: true, changed_states: [entity(pick(lamps, i), "off", i)] },
        ),
      ),
    ),
    silent(
      "the charge of a car battery until it is full",
      times(16, (i) => [
        call(
          "ha_get_state",
          { entity_id: "sensor.car_battery" },
          { entity_id: "sensor.car_battery", state: String(61 + i * 2), unit: "%" },
        ),
        pause(60_000),
      ]),
    ),
    silent(
      "a temperature tool whose only content is the figure",
      times(10, (i) => call("read_thermometer", { sensor: "greenhouse" }, { celsius: 17.4 + (scramble(i) % 30) / 10 })),
    ),
    withoutForce(
      "devices that are not reachable, each another one",
      times(8, (i) =>
        fails(
          "ha_call_service",
          { domain: "light", service: "turn_on", entity_id: pick(lamps, i) },
          `Entity ${pick(lamps, i)} is unavailable`,
        ),
      ),
    ),
    silent(
      "a person asks whether the garage is closed",
      times(4, (i) => [
        message(),
        call("ha_get_state", { entity_id: "cover.garage" }, entity("cover.garage", "closed", i)),
      ]),
    ),
    knownMiss(
      silent(
        "a lamp is dimmed in steps that a person can see",
        times(10, (i) =>
          call(
            "ha_call_service",
            { domain: "light", service: "turn_on", entity_id: "light.desk", brightness_pct: 100 - i * 10 },
            "[]",
          ),
        ),
      ),
    ),
    withoutForce(
      "log book of each device without an entry",
      times(8, (i) => call("ha_get_logbook", { entity_id: pick(lamps, i), start: at(i, 3600) }, [])),
    ),
  ]);
});

describe("home automation, loops", () => {
  check([
    stopped(
      "a lock that stays open, with a fresh context id",
      times(26, (i) => call("ha_get_state", { entity_id: "lock.front" }, entity("lock.front", "jammed", i))),
      { byCall: 10 },
    ),
    noticed(
      "heating on, scene, heating off",
      times(10, () => [
        call("climate_set_mode", { entity_id: "climate.den", hvac_mode: "heat" }, "ok"),
        call("scene_apply", { scene: "scene.evening" }, "ok"),
        call("climate_set_mode", { entity_id: "climate.den", hvac_mode: "off" }, "ok"),
      ]),
      { byCall: 24 },
    ),
    stopped(
      "the same announcement on the kitchen speaker",
      times(25, (i) =>
        call(
          "tts_speak",
          { entity_id: "media_player.kitchen", message: "Dinner is ready." },
          { success: true, context: hexId(i, 26) },
        ),
      ),
      { byCall: 6 },
    ),
    stopped(
      "a service that does not exist",
      times(25, () =>
        fails(
          "ha_call_service",
          { domain: "vacuum", service: "go_home", entity_id: "vacuum.max" },
          "Service vacuum.go_home not found.",
        ),
      ),
      { byCall: 5 },
    ),
  ]);
});

const position = (x: number, y: number, z: number) => ({ x, y, z });

describe("robots and milling machines, legitimate", () => {
  check([
    silent(
      "an arm that moves along a path",
      times(24, (i) =>
        call(
          "move_linear",
          { target: position(100 + i * 5, 40, 12), speed: 50 },
          { reached: true, pose: position(100 + i * 5, 40, 12), seq: i },
        ),
      ),
    ),
    silent(
      "jogging the spindle by the same step, the coordinate moves",
      times(15, (i) =>
        call("cnc_jog", { axis: "X", distance_mm: 0.5, feed: 200 }, { status: "Idle", mpos: [(i + 1) * 0.5, 0, -4] }),
      ),
    ),
    silent(
      "the grip of each of twelve parts, with the same short answer",
      times(12, (i) => [
        call("gripper", { action: "close", part: `P-${i}` }, "ok"),
        call("place", { bin: String.fromCharCode(65 + i), part: `P-${i}` }, "ok"),
      ]),
    ),
    silent(
      "lines of a G-code program sent one by one",
      times(20, (i) =>
        call("grbl_send", { line: `G1 X${(i * 3.7).toFixed(2)} Y${(scramble(i) % 400) / 10} F600` }, "ok"),
      ),
    ),
    silent(
      "the layer of a print, asked for every minute",
      times(12, (i) => [
        call("printer", { action: "status" }, { state: "printing", layer: 40 + i, layers: 188, nozzle: 214.8 }),
        pause(60_000),
      ]),
    ),
  ]);
});

describe("robots and milling machines, loops", () => {
  check([
    stopped(
      "homing that the alarm refuses",
      times(25, (i) =>
        fails(
          "grbl_send",
          { line: "$H" },
          `ALARM:9 Homing fail. Could not find limit switch within search distance. [t=${1000 + i * 377}ms]`,
        ),
      ),
      { byCall: 6 },
    ),
    noticed(
      "pick up and put down in the same place",
      times(12, () => [
        call("move_to", { pose: "above_bin_a" }, { reached: true }),
        call("gripper", { action: "close" }, { object_detected: false }),
        call("gripper", { action: "open" }, { object_detected: false }),
      ]),
      { byCall: 24 },
    ),
    noticed(
      "a camera picture that is the same by its checksum",
      times(14, (i) =>
        call(
          "capture_frame",
          { camera: "wrist" },
          { sha256: hexId(7, 64), width: 1280, height: 720, frame_id: uuid(i), captured_at: at(i, 1) },
        ),
      ),
    ),
  ]);
});
