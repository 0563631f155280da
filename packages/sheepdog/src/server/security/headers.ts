/**
 * Sent with every answer. Pages load nothing from elsewhere and run no inline code, so that text of a model can neither
 * run nor send anything, whatever it contains.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy": [
    "default-src 'none'",
    ...["script-src", "style-src", "img-src", "font-src", "connect-src", "manifest-src"].map(
      (name) => `${name} 'self'`,
    ),
    ...["base-uri", "form-action", "frame-ancestors"].map((name) => `${name} 'none'`),
  ].join("; "),
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};
