// Loaded before the program (`node --import`): its clock is ahead by CLOCK_AHEAD_HOURS.
const aheadMs = Number(process.env.CLOCK_AHEAD_HOURS) * 3_600_000;
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...args: [] | ConstructorParameters<typeof Date>) {
    if (args.length === 0) super(RealDate.now() + aheadMs);
    else super(...args);
  }
  static override now(): number {
    return RealDate.now() + aheadMs;
  }
} as DateConstructor;
