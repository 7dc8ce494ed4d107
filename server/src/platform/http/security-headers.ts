interface SecurityHeaderOptions {
  /** Whether PUBLIC_URL is https. */
  readonly secure: boolean;
}

/** Content security policy of everything that is not an HTML page: blocks loading, scripts and framing. */
const nothingPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The headers of every response. Pages replace the content security policy with their own. */
export const securityHeaders = ({ secure }: SecurityHeaderOptions): Readonly<Record<string, string>> => ({
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "content-security-policy": nothingPolicy,
  "cross-origin-opener-policy": "same-origin",
  // Blocks no-cors embedding by other origins. CORS requests are not affected.
  "cross-origin-resource-policy": "same-origin",
  ...(secure && { "strict-transport-security": "max-age=31536000" }),
});
