import { createTheme, type MantineColorsTuple } from "@mantine/core";

const sea: MantineColorsTuple = [
  "#e7f6f8",
  "#d3eaee",
  "#a8d5dd",
  "#78bfcb",
  "#52adbc",
  "#3aa1b3",
  "#2a9cb0",
  "#17889b",
  "#0b7285",
  "#005f72",
];

/** One colour, system fonts without downloads, sufficient contrast in light and dark mode. */
export const theme = createTheme({
  primaryColor: "sea",
  primaryShade: { light: 8, dark: 8 },
  colors: { sea },
  defaultRadius: "md",
  cursorType: "pointer",
  autoContrast: true,
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, "Liberation Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: "600" },
  // A dialog header is not a page header landmark.
  components: { ModalHeader: { defaultProps: { component: "div" } } },
});
