import { fileURLToPath } from "node:url";
import { SITE_HEADERS } from "@tillgate/service/web/headers";
import type { NextConfig } from "next";

const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

const config: NextConfig = {
  output: "standalone",
  outputFileTracingRoot: repositoryRoot,
  turbopack: { root: repositoryRoot },
  bundlePagesRouterDependencies: true,
  transpilePackages: ["@tillgate/contract", "@tillgate/qr", "@tillgate/service"],
  poweredByHeader: false,
  // No page uses Next's image optimizer; it would let anybody make this server resize images.
  images: { unoptimized: true },
  reactStrictMode: true,
  // `npm run typecheck` checks src and test together.
  typescript: { ignoreBuildErrors: true },
  // Hash of the built scripts and styles (scripts/build.mjs), part of their URLs.
  env: { ASSET_VERSION: process.env.ASSET_VERSION ?? "0" },
  headers: async () => [
    { source: "/:path*", headers: SITE_HEADERS },
    {
      source: "/assets/:path*",
      headers: [{ key: "Cache-Control", value: "public, max-age=31536000, immutable" }],
    },
    {
      // The script for shop pages. Its URL has no hash, so browsers revalidate it every few minutes.
      source: "/tillgate.js",
      headers: [
        { key: "Cache-Control", value: "public, max-age=300" },
        { key: "Cross-Origin-Resource-Policy", value: "cross-origin" },
        { key: "Access-Control-Allow-Origin", value: "*" },
      ],
    },
    {
      // Shops without scripts embed this image in their own pages.
      source: "/pay/:token/qr.svg",
      headers: [{ key: "Cross-Origin-Resource-Policy", value: "cross-origin" }],
    },
  ],
  rewrites: async () => [
    { source: "/tillgate.js", destination: "/assets/tillgate.js" },
    { source: "/healthz", destination: "/api/healthz" },
    { source: "/pay/logos/:id", destination: "/api/logos/:id" },
    { source: "/pay/:token/events", destination: "/api/orders/:token/events" },
    { source: "/pay/:token/status", destination: "/api/orders/:token/status" },
    { source: "/pay/:token/passkey/start", destination: "/api/orders/:token/passkey?use=confirm" },
    { source: "/pay/:token/passkeys/start", destination: "/api/orders/:token/passkey?use=add" },
    { source: "/pay/:token/qr.svg", destination: "/api/orders/:token/qr" },
  ],
};

export default config;
