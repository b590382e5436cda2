import { expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, rejection } from "./support/fake-api.js";

const started = await sharedConsole();

const PLACE = `${MERCHANT}/sandbox`;

it.each([
  ["orders.csv", "orders.csv"],
  ["wallets/EUR/statement.csv", "wallets/EUR/statement.csv"],
  ["wallets/EUR/statement.xml", "wallets/EUR/statement.xml"],
])(
  "a download of %s that the API truncates is logged and aborted, so that the file does not look complete",
  async (page, file) => {
    started.api.responses["GET /me"] = me();
    started.api.truncatedPaths.add(`/merchants/${PLACE}/${file}`);
    const visitor = new Visitor(started.origin).signedIn();
    await expect(visitor.get(`/m/${PLACE}/${page}`)).rejects.toThrow();
    // The log arrives through a separate pipe.
    await expect.poll(() => started.written()).toContain("A file download was interrupted");
  },
);

it("a rejected file download explains that the user's role doesn't allow it, or redirects to the missing sign-in step", async () => {
  const visitor = new Visitor(started.origin).signedIn();
  const download = (...rejected: Parameters<typeof rejection>) => {
    started.api.responses[`GET /merchants/${PLACE}/orders.csv`] = rejection(...rejected);
    return visitor.get(`/m/${PLACE}/orders.csv`);
  };
  const forbidden = await download(403, "role_not_allowed");
  expect([forbidden.status, forbidden.body]).toEqual([
    403,
    expect.stringContaining("Your role doesn’t allow this"),
  ]);
  for (const [status, code, to] of [
    [401, "not_signed_in", "/sign-in"],
    [403, "second_factor_needed", "/second-factor"],
  ] as const)
    expect(await download(status, code)).toMatchObject({ status: 303, to });
});
