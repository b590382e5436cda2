import { fileURLToPath } from "node:url";
import type { NextConfig } from "next";

const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The page runs its own script and style, is framed by nobody, and talks and posts to its own origin only. A merchant's
 * colour is one inline style that carries the nonce of its answer (src/http/style-nonce.ts).
 */
const contentSecurityPolicy = [
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
 * Headers of every answer. HSTS depends on how this page is served and is added at run time (src/http/headers.ts).
 * The referrer policy is `same-origin`, not `no-referrer`: under the latter browsers send `Origin: null` with the
 * page's own forms, which the origin check refuses. Nothing is sent to other origins by either.
 */
const securityHeaders = [
  { key: "Content-Security-Policy", value: contentSecurityPolicy },
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

const config: NextConfig = {
  output: "standalone",
  outputFileTracingRoot: repositoryRoot,
  turbopack: { root: repositoryRoot },
  bundlePagesRouterDependencies: true,
  transpilePackages: ["@tillgate/contract", "@tillgate/qr", "@tillgate/service"],
  poweredByHeader: false,
  // No page uses Next's optimiser of images: without it nobody can make this server scale pictures.
  images: { unoptimized: true },
  reactStrictMode: true,
  // `npm run typecheck` checks src and test together; a second check inside the build would only cost time.
  typescript: { ignoreBuildErrors: true },
  // Hash of the built script and style (scripts/build.mjs): their addresses change with their content.
  env: { ASSET_VERSION: process.env.ASSET_VERSION ?? "0" },
  headers: async () => [
    { source: "/:path*", headers: securityHeaders },
    {
      source: "/assets/:path*",
      headers: [{ key: "Cache-Control", value: "public, max-age=31536000, immutable" }],
    },
    {
      // A shop without scripts shows this picture on its own pages.
      source: "/pay/:token/qr.svg",
      headers: [{ key: "Cross-Origin-Resource-Policy", value: "cross-origin" }],
    },
  ],
  rewrites: async () => [
    { source: "/healthz", destination: "/api/healthz" },
    { source: "/pay/logos/:id", destination: "/api/logos/:id" },
    { source: "/pay/:token/events", destination: "/api/orders/:token/events" },
    { source: "/pay/:token/status", destination: "/api/orders/:token/status" },
    { source: "/pay/:token/qr.svg", destination: "/api/orders/:token/qr" },
  ],
};

export default config;
