const disabledFeatures = [
  ...["accelerometer", "camera", "clipboard-read", "display-capture", "encrypted-media", "fullscreen"],
  ...["geolocation", "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi"],
  ...["payment", "picture-in-picture"],
  ...["screen-wake-lock", "serial", "storage-access", "usb", "window-management", "xr-spatial-tracking"],
];

/** Additional headers of everything below /console/. */
export const consoleHeaders: Readonly<Record<string, string>> = {
  "permissions-policy": [
    ...disabledFeatures.map((feature) => `${feature}=()`),
    "autoplay=(self)",
    "clipboard-write=(self)",
    "publickey-credentials-create=(self)",
    "publickey-credentials-get=(self)",
  ].join(", "),
};

/** Content security policy of files that are not pages. */
export const filePolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Content security policy of pages: only same-origin files, only styles with the nonce, and trusted types. */
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
