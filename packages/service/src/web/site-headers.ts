/**
 * The site runs its own script and style, is framed by nobody, and talks and posts to its own origin only. An inline style
 * carries the nonce of its answer.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/**
 * Headers of every answer of a site. HSTS depends on how it is served and is added at run time (answer-headers.ts). The
 * referrer policy is `same-origin`, not `no-referrer`: under the latter browsers send `Origin: null` with the site's own
 * forms, which the origin check refuses. Nothing is sent to other origins by either.
 */
export const SITE_HEADERS = [
  { key: "Content-Security-Policy", value: CONTENT_SECURITY_POLICY },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "same-origin" },
  {
    key: "Permissions-Policy",
    value: "camera=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-write=(self)",
  },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
  { key: "X-Robots-Tag", value: "noindex" },
];
