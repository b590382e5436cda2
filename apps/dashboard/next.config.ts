import { fileURLToPath } from "node:url";
import { SITE_HEADERS } from "@tillgate/service/web/headers";
import type { NextConfig } from "next";

const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The URLs of these pages contain an e-mailed token, which even our own server must not get in the Referer header. The policy is
 * `strict-origin`, because with `no-referrer` browsers send `Origin: null` with forms, which are then rejected.
 */
const LINKED_PAGES = "/:page(reset-password|invitation|new-account)";

const config: NextConfig = {
  output: "standalone",
  outputFileTracingRoot: repositoryRoot,
  turbopack: { root: repositoryRoot },
  bundlePagesRouterDependencies: true,
  transpilePackages: ["@tillgate/contract", "@tillgate/money", "@tillgate/qr", "@tillgate/service"],
  poweredByHeader: false,
  images: { unoptimized: true },
  reactStrictMode: true,
  typescript: { ignoreBuildErrors: true },
  // Hash of the built scripts and styles, part of their URLs.
  env: { ASSET_VERSION: process.env.ASSET_VERSION ?? "0" },
  headers: async () => [
    { source: "/:path*", headers: SITE_HEADERS },
    { source: LINKED_PAGES, headers: [{ key: "Referrer-Policy", value: "strict-origin" }] },
    {
      source: "/assets/:path*",
      headers: [{ key: "Cache-Control", value: "public, max-age=31536000, immutable" }],
    },
  ],
  rewrites: async () => [
    { source: "/healthz", destination: "/api/healthz" },
    {
      source: "/m/:merchant/:mode/:file(orders|refunds|payouts).:format(csv|json)",
      destination: "/api/exports/:merchant/:mode/:file/:format",
    },
    { source: "/admin/audit.:format(csv|json)", destination: "/api/audit/:format" },
    {
      source: "/m/:merchant/:mode/wallets/:currency/statement.:format(csv|xml)",
      destination: "/api/statements/:merchant/:mode/:currency?format=:format",
    },
    {
      source: "/m/:merchant/:mode/payouts/batches/:batch/result.csv",
      destination: "/api/batch-results/:merchant/:mode/:batch",
    },
  ],
};

export default config;
