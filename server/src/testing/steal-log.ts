import { readFileSync } from "node:fs";

interface Sample {
  readonly at: number;
  readonly wanted: number;
  readonly stolen: number;
}

/** Above this share a delay says nothing about the code. */
export const disturbedShare = 0.15;

/** Records how much CPU time the hypervisor gives to other machines, so that a delay can be told from a slow host. */
export function openStealLog() {
  const samples: Sample[] = [readStat()];
  const timer = setInterval(() => samples.push(readStat()), 20);
  timer.unref();
  return {
    /** Share of the CPU time wanted since this time (Date.now()) that was stolen. */
    shareSince(at: number): number {
      const before = samples.findLast((sample) => sample.at <= at) ?? (samples[0] as Sample);
      const now = readStat();
      return (now.stolen - before.stolen) / Math.max(1, now.wanted - before.wanted);
    },
    close: () => clearInterval(timer),
  };
}

function readStat(): Sample {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(/\s+/).slice(1).map(Number);
  return { at: Date.now(), wanted: user + nice + system + irq + softirq + steal, stolen: steal };
}
