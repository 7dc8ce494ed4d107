import type { Lane, Talk } from "../engine/lanes.ts";
import type { Span } from "../engine/speech.ts";
import { barsOf, type Waveform } from "./waveform.ts";

export interface View {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Picture {
  readonly waveform: Waveform;
  readonly talk: Talk;
  readonly muted: ReadonlySet<Lane["channel"]>;
  readonly view: View;
}

/** Drawing surface in CSS pixels, with colours from the style sheet. */
export interface Surface {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly colour: (name: string) => string;
}

const bar = { width: 2, step: 3 };
const quiet = 0.38;
const bandHeight = 3;

const toX =
  ({ fromMs, toMs }: View, width: number) =>
  (ms: number) =>
    ((ms - fromMs) / (toMs - fromMs)) * width;

/** Part of the call, one lane per voice. */
export function drawLanes(paper: Surface, picture: Picture): void {
  const { context, width, height, colour } = paper;
  const { talk, view } = picture;
  context.clearRect(0, 0, width, height);
  drawSilences(paper, picture);
  const laneHeight = height / Math.max(1, talk.lanes.length);
  talk.lanes.forEach((lane, index) => {
    const top = index * laneHeight;
    const middle = top + (laneHeight - bandHeight) / 2;
    drawVoice(paper, picture, lane, { middle, up: laneHeight / 2 - 8, down: laneHeight / 2 - 8 });
    drawSpans(paper, view, lane.turns, {
      top: top + laneHeight - bandHeight - 2,
      height: bandHeight,
      fill: laneColour(paper, picture, lane),
    });
  });
  if (talk.lanes.length > 1) {
    context.fillStyle = colour("--line");
    context.fillRect(0, laneHeight - 0.5, width, 1);
    drawSpans(paper, view, talk.overtalk, { top: laneHeight - 3, height: 6, fill: colour("--overtalk") });
  }
}

/** Whole call: one voice above the middle, the other below. */
export function drawOverview(paper: Surface, picture: Picture): void {
  const { context, width, height, colour } = paper;
  const { talk, view } = picture;
  context.clearRect(0, 0, width, height);
  const middle = height / 2;
  const [first, second] = talk.lanes;
  if (first) drawVoice(paper, picture, first, { middle, up: middle - 4, down: second ? 0 : middle - 4 });
  if (second) drawVoice(paper, picture, second, { middle, up: 0, down: middle - 4 });
  context.fillStyle = colour("--line");
  context.fillRect(0, middle - 0.5, width, 1);
  drawSpans(paper, view, talk.overtalk, { top: middle - 1.5, height: 3, fill: colour("--overtalk") });
}

const laneColour = ({ colour }: Surface, { muted }: Picture, lane: Lane) =>
  colour(muted.has(lane.channel) ? "--line" : lane.colour);

interface Reach {
  readonly middle: number;
  readonly up: number;
  readonly down: number;
}

/** Solid bars for speech, pale bars for noise. */
function drawVoice(paper: Surface, picture: Picture, lane: Lane, reach: Reach): void {
  const { context, width } = paper;
  const { waveform, view } = picture;
  const bars = Math.max(1, Math.ceil(width / bar.step));
  const channel = lane.channel === "right" ? Math.min(1, waveform.channels - 1) : 0;
  const perBar = (view.toMs - view.fromMs) / (width / bar.step);
  const stretch = { fromMs: view.fromMs, toMs: view.fromMs + perBar * bars, bars };
  const loudness = barsOf(waveform, channel, stretch);
  const scale = 1 / Math.max(0.08, waveform.peaks[channel] ?? 1);
  const [speaking, silent] = [new Path2D(), new Path2D()];
  const isSpoken = overlapTester(lane.turns);
  loudness.forEach((level, index) => {
    const fromMs = view.fromMs + index * perBar;
    if (fromMs > waveform.durationMs) return;
    const tall = Math.min(1, level * scale) ** 0.8;
    const [up, down] = [reach.up && Math.max(1, reach.up * tall), reach.down && Math.max(1, reach.down * tall)];
    const path = isSpoken(fromMs, fromMs + perBar) ? speaking : silent;
    path.roundRect(index * bar.step, reach.middle - up, bar.width, up + down, 1);
  });
  context.fillStyle = laneColour(paper, picture, lane);
  context.fill(speaking);
  context.globalAlpha = quiet;
  context.fill(silent);
  context.globalAlpha = 1;
}

/** Whether a range overlaps a span. Must be called with increasing times. */
function overlapTester(spans: readonly Span[]): (fromMs: number, toMs: number) => boolean {
  let index = 0;
  return (fromMs, toMs) => {
    while (index < spans.length && (spans[index]?.[1] ?? 0) <= fromMs) index++;
    const span = spans[index];
    return span !== undefined && span[0] < toMs;
  };
}

interface Band {
  readonly top: number;
  readonly height: number;
  readonly fill: string;
}

function drawSpans({ context, width }: Surface, view: View, spans: readonly Span[], { top, height, fill }: Band): void {
  const x = toX(view, width);
  context.fillStyle = fill;
  context.beginPath();
  for (const [from, to] of spans) {
    if (to < view.fromMs) continue;
    if (from > view.toMs) break;
    context.roundRect(x(from), top, Math.max(1, x(to) - x(from)), height, height / 2);
  }
  context.fill();
}

/** Shades long silences. */
function drawSilences({ context, width, height, colour }: Surface, { talk, view }: Picture): void {
  const x = toX(view, width);
  for (const [from, to] of talk.silences) {
    if (to < view.fromMs) continue;
    if (from > view.toMs) break;
    context.fillStyle = colour("--silence");
    context.fillRect(x(from), 0, x(to) - x(from), height);
  }
}
