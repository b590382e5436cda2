import { SettingsError } from "@tillgate/service";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.js";
import { listCredentials } from "../../src/store-config.js";

const store = {
  id: "demo",
  url: "http://localhost:4003/",
  consumer_key: "ck_1",
  consumer_secret: "cs_very_secret",
  client_id: "ci_1",
  client_secret: "client_very_secret",
  mode: "sandbox",
  return_url: "http://localhost:4003/checkout/return?order={order_id}&key={order_key}",
};
const environment = (changes: Record<string, string | undefined> = {}) => ({
  CONNECTOR_DATABASE_URL: "postgresql://tillgate_connector:pw@127.0.0.1:4005/tillgate_connector",
  CONNECTOR_URL: "http://localhost:4004/",
  TILLGATE_API_URL: "http://localhost:4000",
  CONNECTOR_STORES: JSON.stringify([store]),
  ...changes,
});

describe("readConfig", () => {
  it("uses the default for each setting that is not set", () => {
    expect(readConfig(environment())).toMatchObject({
      host: "127.0.0.1",
      port: 4004,
      url: "http://localhost:4004",
      sweepSeconds: 120,
      stores: [{ id: "demo", url: "http://localhost:4003", expires_in: 900, payment_method: "tillgate" }],
    });
  });

  it.each([
    [{ CONNECTOR_DATABASE_URL: undefined }, /^CONNECTOR_DATABASE_URL: is required/],
    [{ CONNECTOR_DATABASE_URL: ":memory:" }, /^CONNECTOR_DATABASE_URL: must be a postgresql/],
    [{ CONNECTOR_DATABASE_URL: "file::memory:" }, /^CONNECTOR_DATABASE_URL: must be/],
    [{ CONNECTOR_DATABASE_URL: "file:/tmp/x.db?mode=memory" }, /^CONNECTOR_DATABASE_URL: must be/],
    [{ CONNECTOR_DATABASE_URL: "file:connector.db" }, /^CONNECTOR_DATABASE_URL: must be/],
    [{ CONNECTOR_HEALTH_KEY: "x".repeat(31) }, /^CONNECTOR_HEALTH_KEY: must be at least 32/],
    [{ CONNECTOR_URL: "localhost" }, /^CONNECTOR_URL: must be an absolute/],
    [{ PORT: "x" }, /^PORT: must be/],
    [{ CONNECTOR_SWEEP_SECONDS: "600" }, /^CONNECTOR_SWEEP_SECONDS: must be a whole number from 5 to 240/],
    [{ CONNECTOR_STORES: "{" }, /^CONNECTOR_STORES: must be a JSON array/],
    [{ CONNECTOR_STORES: "[]" }, /^CONNECTOR_STORES: must contain at least one store/],
    [{ CONNECTOR_STORES: JSON.stringify([store, store]) }, /twice/],
    [
      { CONNECTOR_STORES: JSON.stringify([{ ...store, return_url: "http://a.test/" }]) },
      /0\.return_url.*order_id/,
    ],
    [{ CONNECTOR_STORES: JSON.stringify([{ ...store, mode: "test" }]) }, /0\.mode/],
    [{ CONNECTOR_STORES: JSON.stringify([{ ...store, expires_in: 59 }]) }, /0\.expires_in/],
    [
      { CONNECTOR_STORES: JSON.stringify([{ ...store, expires_in: 3001 }]) },
      /0\.expires_in\): must be at most 3000/,
    ],
    [
      { CONNECTOR_STORES: JSON.stringify([{ ...store, expires_in: 301, hold_stock_minutes: 10 }]) },
      /0\.expires_in\): must be at most 300/,
    ],
    [
      { CONNECTOR_STORES: JSON.stringify([{ ...store, client_id: "tgs_test_1" }]) },
      /client_id\): is a client secret/,
    ],
    [
      { CONNECTOR_STORES: JSON.stringify([{ ...store, client_secret: "tg_live_1" }]) },
      /client_secret\): is a client ID/,
    ],
    [{ CONNECTOR_STORES: JSON.stringify([{ ...store, consumer_key: "cs_1" }]) }, /consumer_key\): must be/],
    [
      { CONNECTOR_STORES: JSON.stringify([{ ...store, previous_mode: "live" }]) },
      /previous_mode\): needs previous_client_secret/,
    ],
    [{ CONNECTOR_TRUSTED_PROXIES: "10.0.0.1, everybody" }, /CONNECTOR_TRUSTED_PROXIES: must be addresses/],
    [{ CONNECTOR_TRUSTED_PROXIES: "10.0.0.0/33" }, /CONNECTOR_TRUSTED_PROXIES/],
    [
      { CONNECTOR_REQUESTS_PER_IP_ADDRESS: "9" },
      /CONNECTOR_REQUESTS_PER_IP_ADDRESS: must be a whole number from 10/,
    ],
    [{ CONNECTOR_CONNECTIONS: "0" }, /CONNECTOR_CONNECTIONS: must be a whole number from 10/],
    [{ CONNECTOR_STORES: JSON.stringify([{ ...store, hold_stock_minutes: 1 }]) }, /0\.hold_stock_minutes/],
    [{ CONNECTOR_STORES: JSON.stringify([{ ...store, shop_refunds: "maybe" }]) }, /0\.shop_refunds/],
  ])("reports an invalid setting: %j", (changes, text) => {
    expect(() => readConfig(environment(changes))).toThrow(SettingsError);
    expect(() => readConfig(environment(changes))).toThrow(text);
  });

  it("reports all invalid settings together", () => {
    const invalid = [
      { ...store, mode: "test" },
      { ...store, expires_in: 59 },
    ];
    const lines = (changes: Record<string, string>): string[] => {
      try {
        readConfig(environment(changes));
      } catch (error) {
        if (error instanceof SettingsError) return error.message.split("\n");
        throw error;
      }
      return [];
    };
    expect(lines({ PORT: "x", CONNECTOR_URL: "x", CONNECTOR_STORES: JSON.stringify(invalid) })).toEqual([
      "PORT: must be a whole number from 0 to 65535",
      "CONNECTOR_URL: must be an absolute http or https URL",
      expect.stringMatching(/^CONNECTOR_STORES \(0\.mode\): /),
      expect.stringMatching(/^CONNECTOR_STORES \(1\.expires_in\): /),
    ]);
  });

  it.each([
    [{}, 900],
    [{ expires_in: 3000 }, 3000],
    [{ expires_in: 60, hold_stock_minutes: 2 }, 60],
    [{ hold_stock_minutes: 10 }, 300],
    [{ hold_stock_minutes: 20 }, 600],
    [{ expires_in: 3600, hold_stock_minutes: 70 }, 3600],
  ])("makes payments expire before the store releases its stock: %j", (changes, seconds) => {
    const stores = JSON.stringify([{ ...store, ...changes }]);
    expect(readConfig(environment({ CONNECTOR_STORES: stores })).stores[0]?.expires_in).toBe(seconds);
  });

  it("accepts a previous credential, and trusts no proxy by default", () => {
    const ofPrevious = (changes: object) => {
      const stores = [{ ...store, return_url: "https://shop.example/{order_id}/{order_key}", ...changes }];
      const { stores: taken } = readConfig(
        environment({
          TILLGATE_API_URL: "https://api.example",
          CONNECTOR_URL: "https://connector.example",
          CONNECTOR_STORES: JSON.stringify(stores),
        }),
      );
      return taken.flatMap((one) => listCredentials(one, "https://api.example").slice(1));
    };
    const rotated = { mode: "sandbox", clientId: "ci_1", clientSecret: "old" };
    expect(ofPrevious({})).toEqual([]);
    expect(ofPrevious({ previous_client_secret: "old" })).toEqual([rotated]);
    const moved = { previous_client_secret: "old", previous_client_id: "ci_0", previous_mode: "live" };
    expect(ofPrevious(moved)).toEqual([{ ...rotated, clientId: "ci_0", mode: "live" }]);
    expect(readConfig(environment()).trustedProxies).toEqual([]);
    const given = environment({ CONNECTOR_TRUSTED_PROXIES: "10.0.0.0/8, ::1" });
    expect(readConfig(given).trustedProxies).toEqual(["10.0.0.0/8", "::1"]);
  });

  it("selects the keys of the current mode, keeps the keys of the other mode, and rejects incomplete and mixed-up keys", () => {
    const { client_id: _id, client_secret: _secret, ...bare } = store;
    const modes = {
      sandbox: { client_id: "tg_test_1", client_secret: "tgs_test_1" },
      live: { client_id: "tg_live_1", client_secret: "tgs_live_1" },
    };
    const read = (changes: object, apiUrl = "https://api.example") => {
      const address = { return_url: "https://shop.example/{order_id}/{order_key}" };
      const { stores, apiUrl: api } = readConfig(
        environment({
          TILLGATE_API_URL: apiUrl,
          CONNECTOR_URL: "https://connector.example",
          CONNECTOR_STORES: JSON.stringify([{ ...bare, ...address, ...changes }]),
        }),
      );
      return stores.flatMap((one) =>
        listCredentials(one, api).map(({ mode, clientId }) => `${mode} ${clientId}`),
      );
    };
    expect(read(modes)).toEqual(["sandbox tg_test_1", "live tg_live_1"]);
    expect(read({ ...modes, mode: "live" })).toEqual(["live tg_live_1", "sandbox tg_test_1"]);
    // Unused live keys are never sent over plain HTTP.
    expect(read(modes, "http://localhost:4000")).toEqual(["sandbox tg_test_1"]);
    const pasted = { client_id: "ci_1", client_secret: "client_very_secret" };
    expect(read({ ...pasted, live: modes.live })).toEqual(["sandbox ci_1", "live tg_live_1"]);
    for (const [wrong, words] of [
      [{}, /client_id\): is required, with client_secret, unless sandbox has keys/],
      [{ live: modes.live }, /client_id\): is required/],
      [{ client_id: "ci_1" }, /client_secret\): is required, because client_id is set/],
      [{ client_secret: "secret" }, /client_id\): is required, because client_secret is set/],
      [{ ...modes, ...pasted }, /sandbox\): must not be set together/],
      [{ sandbox: modes.live }, /sandbox\): are keys of the other mode/],
      [{ ...modes, live: modes.sandbox }, /live\): are keys of the other mode/],
      [{ sandbox: { client_id: "tg_test_1" } }, /client_secret/],
      [{ sandbox: { client_id: "tgs_test_1", client_secret: "tgs_test_1" } }, /is a client secret/],
    ] as const)
      expect(() => read(wrong)).toThrow(words);
  });

  it("accepts a SQLite file as the database", () => {
    const url = "file:/var/lib/tillgate/connector.db";
    expect(readConfig(environment({ CONNECTOR_DATABASE_URL: url })).databaseUrl).toBe(url);
  });

  it("doesn't repeat a secret that was entered as the store's URL", () => {
    const stores = JSON.stringify([{ ...store, url: "cs_very_secret" }]);
    const read = () => readConfig(environment({ CONNECTOR_STORES: stores }));
    expect(read).toThrow(SettingsError);
    expect(read).not.toThrow(/very_secret/);
  });
});

describe("a live store", () => {
  const https = {
    TILLGATE_API_URL: "https://api.example",
    CONNECTOR_URL: "https://connector.example",
    CONNECTOR_STORES: JSON.stringify([
      store,
      { ...store, id: "real", mode: "live", return_url: "https://shop.example/{order_id}/{order_key}" },
    ]),
  };
  const retired = { ...store, previous_client_secret: "client_secret_before", previous_mode: "live" };

  it("requires https for the Tillgate, connector and return URLs, even on localhost", () => {
    expect(readConfig(environment(https)).stores).toHaveLength(2);
    const refused = (changes: Record<string, string>) => () =>
      readConfig(environment({ ...https, ...changes }));
    for (const address of ["http://api.example", "http://127.0.0.1:4000", "http://localhost:4000"]) {
      expect(refused({ TILLGATE_API_URL: address })).toThrow(
        /^TILLGATE_API_URL: must be https: the store real is live/,
      );
      expect(refused({ CONNECTOR_URL: address })).toThrow(
        /^CONNECTOR_URL: must be https: the store real is live/,
      );
    }
    const insecureReturn = JSON.stringify([{ ...store, mode: "live" }]);
    expect(refused({ CONNECTOR_STORES: insecureReturn })).toThrow(
      /^CONNECTOR_STORES: return_url must be https for a live store: demo$/,
    );
  });

  it("still requires https for the Tillgate URL after a change to sandbox mode, while a retired live secret is configured", () => {
    expect(() => readConfig(environment({ CONNECTOR_STORES: JSON.stringify([retired]) }))).toThrow(
      /^TILLGATE_API_URL: must be https: the store demo is live/,
    );
  });
});
