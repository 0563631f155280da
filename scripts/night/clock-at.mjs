// Loaded before a program (`node --import`): its clock starts at NIGHT_NOW, in milliseconds since 1970, and then runs.
const MachineDate = Date;
const shift = Number(process.env["NIGHT_NOW"]) - MachineDate.now();

globalThis.Date = class extends MachineDate {
  constructor(...parts) {
    if (parts.length === 0) super(MachineDate.now() + shift);
    else super(...parts);
  }

  static now() {
    return MachineDate.now() + shift;
  }
};
