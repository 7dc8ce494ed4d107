/** Line icons on a 24-pixel grid. */
const paths = {
  calls: "M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 3 6a2 2 0 0 1 2-2",
  upload: "M12 16V4m0 0L7 9m5-5 5 5M4 16v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3",
  chart: "M4 20V10m5.3 10V4m5.4 16v-8M20 20V7",
  trend: "M4 4v16h16M7 15l4-4 3 3 6-7",
  campaign: "M4 5h7v7H4zM13 5h7v7h-7zM4 14h7v5H4zM13 14h7v5h-7z",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20c0-3.6 2.9-6 6.5-6s6.5 2.4 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.5m2 3.5c2.2.8 3.5 2.8 3.5 5.5",
  key: "M14.5 9.500a4.5 4.5 0 1 0-4.3 5.800L12 17h2v2h2v2h4v-3.500l-5.8-5.800a4.5 4.5 0 0 0 .3-2.200M8.5 9h.01",
  webhook: "M8 8a4 4 0 1 1 6.5 3.100l2 4M5 13.500A4 4 0 1 0 11 17h6a3 3 0 1 0-1.5-2.600M12 8l-3 6",
  shield: "M12 3l8 3v6c0 4.5-3.2 7.8-8 9-4.8-1.2-8-4.5-8-9V6zM9 12l2 2 4-4",
  book: "M4 5a2 2 0 0 1 2-2h13v18H6a2 2 0 0 1-2-2zm0 14a2 2 0 0 1 2-2h13M8.5 8h6",
  settings:
    "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6m0-12v3m0 12v3m9-9h-3M6 12H3m15.4-6.4-2.1 2.100M7.7 16.300l-2.1 2.100m12.8 0-2.1-2.100M7.7 7.7 5.6 5.6",
  scorecard: "M8 5H5v16h14V5h-3M8.5 3h7v4h-7zM8.5 12l1.500 1.500L12.500 11M8.5 17h7M15 12.500h.500",
  undo: "M4 9h10a5.500 5.500 0 0 1 0 11H9M4 9l4.500-4.500M4 9l4.500 4.5",
  redo: "M20 9H10a5.500 5.500 0 0 0 0 11h5M20 9l-4.500-4.500M20 9l-4.500 4.5",
  arrowUp: "M12 20V5m0 0-6 6m6-6 6 6",
  arrowDown: "M12 4v15m0 0-6-6m6 6 6-6",
  grip: "M9 6h.010M15 6h.010M9 12h.010M15 12h.010M9 18h.010M15 18h.010",
  branch: "M6 4v16M6 14c0-4 12-2 12-8M18 6h.010",
  review: "M4 4h16v12H9.500L5 20v-4H4zM8.500 10l2.500 2.500 4.500-4.500",
  dispute: "M12 4v16M8 20h8M5 7h14M5 7l-2.500 6.500a2.700 2.700 0 0 0 5 0zM19 7l-2.500 6.500a2.700 2.700 0 0 0 5 0z",
  queue: "M4 6h16M4 12h16M4 18h9M17 15v6l4.500-3z",
  draw: "M4 4h16v16H4zM8.500 8.500h.010M15.500 8.500h.010M12 12h.010M8.500 15.500h.010M15.500 15.500h.010",
  calibration:
    "M4 7h9m4 0h3M15 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5M4 17h3m4 0h9M9 19.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5",
  comment: "M4 5h16v11H9l-5 4z",
  user: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8m-8 9c0-4 3.6-6.5 8-6.500s8 2.5 8 6.5",
  signOut:
    "M14 8V5a1 1 0 0 0-1-1H5a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1v-3M9 12h12m0 0-3.5-3.500M21 12l-3.5 3.5",
  more: "M4.5 12a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0m7 0a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0m7 0a.5.5 0 1 0 1 0 .5.5 0 1 0-1 0",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.500l4.5 4.500L19 7.5",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14m5-2 5 5",
  filter: "M4 5h16l-6 8v6l-4-2v-4z",
  columns: "M4 4h16v16H4zM9.5 4v16M14.5 4v16",
  chevronDown: "M6 9l6 6 6-6",
  chevronRight: "M9 6l6 6-6 6",
  chevronLeft: "M15 6l-6 6 6 6",
  back: "M20 12H5m0 0 6-6m-6 6 6 6",
  plus: "M12 5v14M5 12h14",
  box: "M4 8v11h16V8M3 4h18v4H3zM10 12h4",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5m4-5v5",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  refresh: "M20 5v5h-5M4 19v-5h5M19.5 10A8 8 0 0 0 5.5 7.500M4.5 14a8 8 0 0 0 14 2.5",
  download: "M12 4v12m0 0 5-5m-5 5-5-5M4 20h16",
  link: "M10 14a4 4 0 0 0 6 .500l3-3a4 4 0 0 0-5.7-5.700L12 7m2 3a4 4 0 0 0-6-.500l-3 3a4 4 0 0 0 5.7 5.700L12 17",
  mail: "M3 6h18v12H3zm0 1 9 6.500L21 7",
  ban: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M5.700 5.700l12.600 12.600",
  warning: "M12 4l9.5 16h-19zm0 6v4m0 3v.01",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18m0-10v6m0-9.500v.01",
  play: "M7 4.500v15l13-7.500z",
  pause: "M7 5h3v14H7zM14 5h3v14h-3z",
  volume: "M4 9.500v5h3.500L12 19V5L7.5 9.500zM15.5 9a4 4 0 0 1 0 6m2.5-8.500a8 8 0 0 1 0 11",
  muted: "M4 9.500v5h3.500L12 19V5L7.5 9.500zM16 9.500l5 5m0-5-5 5",
  skipBack: "M11 7l-7 5 7 5zM20 7l-7 5 7 5z",
  skipForward: "M13 7l7 5-7 5zM4 7l7 5-7 5z",
  headphones: "M4 18v-5a8 8 0 0 1 16 0v5M4 15h3v5H5a1 1 0 0 1-1-1zm16 0h-3v5h2a1 1 0 0 0 1-1z",
  zoomIn: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14m5-2 5 5M8 11h6m-3-3v6",
  zoomOut: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14m5-2 5 5M8 11h6",
  keyboard: "M3 6h18v12H3zM7 10h.010M11 10h.010M15 10h.010M7 14h10",
  circle: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18",
  print: "M7 9V3h10v6M7 17H4V9h16v8h-3M7 14h10v7H7z",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18m0-14v5l3.5 2",
  folder: "M3 6h6l2 2.5h10V19H3z",
  file: "M6 3h8l5 5v13H6zM14 3v5h5",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
} as const;

export type IconName = keyof typeof paths;

/** Decorative: always next to text or inside a labelled control. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
