/** Order matters: each user agent also contains the names of the browsers below it. */
const browsers = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;

const systems = [
  [/iPhone|iPad|iPod/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Macintosh|Mac OS X/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
] as const;

/** Maps a user agent to the names of the browser and the operating system. Unknown ones are absent. */
export function browserName(userAgent: string | null): { readonly browser?: string; readonly system?: string } {
  const [browser, system] = [browsers, systems].map((names) => names.find(([sign]) => sign.test(userAgent ?? ""))?.[1]);
  return { ...(browser && { browser }), ...(system && { system }) };
}
