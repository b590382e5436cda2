import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me } from "./support/fake-api.js";

/** Every page of the build, so that new pages are covered automatically. */
const MANIFEST = new URL("../../.next/server/pages-manifest.json", import.meta.url);
const ROUTES = Object.keys(JSON.parse(readFileSync(MANIFEST, "utf8"))).filter(
  (route) => !route.startsWith("/_") && !/^\/(404|500)$/.test(route),
);
const isPage = (route: string) => !route.startsWith("/api/");

/** Public pages. Extend this list deliberately only. */
const OPEN = [
  "/forgot-password",
  "/invitation",
  "/language",
  "/new-account",
  "/reset-password",
  "/sign-in",
  "/sign-out",
  "/sign-up",
  "/api/healthz",
];

const PARTS: Record<string, string> = { merchant: MERCHANT, mode: "sandbox", format: "csv" };
/** A path of the route with its parameters filled in. */
const addressOf = (route: string) =>
  route.replace(/\[(\w+)\]/g, (_, part: string) => PARTS[part] ?? "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e99");

/** Reads that use POST, to keep their token out of logs. */
const READ_BY_POST = ["/invitation", "/sign-up/link", "/password-reset/link"];
const changes = () => started.api.changes().filter(({ path }) => !READ_BY_POST.includes(path));

const started = await sharedConsole();

describe("a signed-out visitor", () => {
  it.each(ROUTES.filter((route) => !OPEN.includes(route)))("must sign in to see %s", async (route) => {
    const { status, to } = await new Visitor(started.origin).get(addressOf(route));
    expect([status, to?.split("?")[0]]).toEqual([303, "/sign-in"]);
    expect(started.api.requests).toEqual([]);
  });
});

it("every page in the list of public pages exists in the build", () => {
  expect(OPEN.filter((route) => !ROUTES.includes(route))).toEqual([]);
});

describe("forms of a page", () => {
  const pages = ROUTES.filter(isPage);

  it.each(pages)("are rejected if sent from another site: %s", async (route) => {
    const visitor = new Visitor(started.origin).signedIn();
    started.api.responses["GET /me"] = me("owner", true);
    await visitor.get("/sign-in");
    for (const headers of [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" },
    ]) {
      const { status } = await visitor.post(addressOf(route), { action: "any" }, headers);
      expect(status).toBe(403);
    }
    expect(changes()).toEqual([]);
  });

  it.each(pages)("are rejected without the CSRF token of the visitor and session: %s", async (route) => {
    const visitor = new Visitor(started.origin).signedIn();
    started.api.responses["GET /me"] = me("owner", true);
    const tokenOf = ({ body }: { body: string }) => /name="form_token" value="([^"]+)"/.exec(body)?.[1] ?? "";
    const stranger = tokenOf(await new Visitor(started.origin).get("/sign-in"));
    const signedOut = new Visitor(started.origin);
    const fromBefore = tokenOf(await signedOut.get("/sign-in"));
    await visitor.get("/sign-in");
    for (const form_token of ["", "x", stranger, fromBefore]) {
      const { status } = await visitor.post(addressOf(route), { action: "any", form_token });
      // The data does not exist, so the redisplayed page may be a 404.
      expect([403, 404]).toContain(status);
    }
    expect(changes()).toEqual([]);
  });
});
