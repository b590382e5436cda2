import { expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me } from "./support/fake-api.js";

const started = await sharedConsole();

const PLACE = `${MERCHANT}/sandbox`;

it.each([
  ["orders.csv", "orders.csv"],
  ["wallets/EUR/statement.csv", "wallets/EUR/statement.csv"],
  ["wallets/EUR/statement.xml", "wallets/EUR/statement.xml"],
])(
  "if the API truncates %s, the connection is aborted, so that the file never looks complete, and this is logged",
  async (page, file) => {
    started.api.responses["GET /me"] = me();
    started.api.truncatedPaths.add(`/merchants/${PLACE}/${file}`);
    const visitor = new Visitor(started.origin).signedIn();
    await expect(visitor.get(`/m/${PLACE}/${page}`)).rejects.toThrow();
    // The log arrives through a separate pipe.
    await expect.poll(() => started.written()).toContain("A file download was interrupted");
  },
);
