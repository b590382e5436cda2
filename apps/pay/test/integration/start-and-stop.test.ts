import { describe, expect, it } from "vitest";
import { INTERNAL_KEY, payableView } from "../fake-api";
import { PageServer, runPage } from "../page-server";

/** Shutdown time limit, regardless of open streams. */
const END_MS = 5000;

describe("startup", () => {
  it("fails with exit code 1 and one clear line if a setting is invalid", async () => {
    const page = runPage({ TILLGATE_INTERNAL_KEY: INTERNAL_KEY, TILLGATE_PAY_URL: "pay.example.com" });
    expect(await page.ended).toBe(1);
    expect(page.output()).toBe(
      "The page cannot start: TILLGATE_PAY_URL: must be an http or https URL without a path, like https://pay.example.com\n",
    );
  });

  it("fails with exit code 1 if the internal key is missing", async () => {
    const page = runPage({});
    expect(await page.ended).toBe(1);
    expect(page.output()).toContain("TILLGATE_INTERNAL_KEY: is required");
  });
});

describe("shutdown", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("completes on %s while a stream is open", async (signal) => {
    const server = await PageServer.start();
    server.api.orders.set("order", payableView("order"));
    const stream = await fetch(`${server.origin}/pay/order/events`);
    const reader = stream.body?.getReader();
    await reader?.read();
    const requested = performance.now();
    server.process.child.kill(signal);
    await server.process.ended;
    expect(performance.now() - requested).toBeLessThan(END_MS);
    await server.api.stop();
  });
});
