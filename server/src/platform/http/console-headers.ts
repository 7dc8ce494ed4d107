interface Reached {
  /** Whether the service is reached by https: browsers are then told to stay with it. */
  readonly secure: boolean;
}

const nowhere = [
  ...["accelerometer", "camera", "clipboard-read", "display-capture", "encrypted-media", "fullscreen"],
  ...["geolocation", "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi"],
  ...["payment", "picture-in-picture", "publickey-credentials-create", "publickey-credentials-get"],
  ...["screen-wake-lock", "serial", "storage-access", "usb", "window-management", "xr-spatial-tracking"],
];

/** The headers of everything below /console/, pages and files alike. */
export const consoleHeaders = ({ secure }: Reached): Readonly<Record<string, string>> => ({
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": [
    ...nowhere.map((feature) => `${feature}=()`),
    "autoplay=(self)",
    "clipboard-write=(self)",
  ].join(", "),
  ...(secure && { "strict-transport-security": "max-age=31536000" }),
});

/** What is not a page needs nothing at all. */
export const filePolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Only our own files, only style sheets that carry the page's nonce, and no text that becomes markup or a script. */
export const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default",
  ].join("; ");
