import { expect, it } from "vitest";
import { consoleOfFile, Visitor } from "./support/console.js";
import { MERCHANT, me, success } from "./support/fake-api.js";

const started = await consoleOfFile();
const { api } = started;

it("times are UTC, else in the browser's zone, else in the one that was chosen", async () => {
  api.answers["GET /me"] = me();
  const at = "2026-01-01T12:00:00+00:00";
  const session = { session_id: MERCHANT, current: true, created_at: at, last_seen_at: at, expires_at: at };
  api.answers["GET /sessions"] = success({
    sessions: [{ ...session, client_network: "192.0.2.1", browser: "curl" }],
  });
  const visitor = new Visitor(started.origin).signedIn();
  const shown = async () => /<time[^>]*>([^<]*)<\/time>/.exec((await visitor.get("/account")).body)?.[1];
  expect(await shown()).toBe("1 Jan 2026, 12:00 UTC");
  visitor.cookies.set("tillgate_console_browser_zone", "Mars/Base");
  expect(await shown()).toBe("1 Jan 2026, 12:00 UTC");
  visitor.cookies.set("tillgate_console_browser_zone", "Europe/Paris");
  expect(await shown()).toBe("1 Jan 2026, 13:00 CET");
  const chosen = await visitor.send("/account", "time-zone", { time_zone: "Africa/Lagos" });
  expect(chosen.headers.getSetCookie().join()).toMatch(/tillgate_console_zone=Africa\/Lagos;[^,]*HttpOnly/);
  expect(await shown()).toMatch(/^1 Jan 2026, 13:00 (WAT|GMT\+1)$/);
  expect((await visitor.send("/account", "time-zone", { time_zone: "Mars/Base" })).status).toBe(422);
  await visitor.send("/account", "time-zone", { time_zone: "" });
  expect(await shown()).toBe("1 Jan 2026, 13:00 CET");
});
