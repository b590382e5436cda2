import { describe, expect, it } from "vitest";
import { readSettings } from "../../src/settings.js";

const root = "/project";
const read = (commandLine: string[], environment: NodeJS.ProcessEnv = {}) =>
  readSettings(commandLine, environment, root);

describe("npm start", () => {
  it("uses loopback, port 4000 and .data by default", () => {
    expect(read([])).toEqual({
      dataDirectory: "/project/.data",
      basePort: 4000,
      publicHost: undefined,
      databaseUrls: {
        api: undefined,
        apiDirect: undefined,
        apiOwner: undefined,
        store: undefined,
        connector: undefined,
      },
      verbose: false,
    });
  });

  it("treats an empty variable as unset", () => {
    const settings = read([], {
      TILLGATE_PORT: "",
      TILLGATE_DATA_DIR: " ",
      DATABASE_URL: "",
      TILLGATE_PUBLIC_HOST: "",
    });
    expect(settings).toMatchObject({
      basePort: 4000,
      dataDirectory: "/project/.data",
      publicHost: undefined,
    });
    expect(settings.databaseUrls.api).toBeUndefined();
  });

  it("reports all invalid settings together", () => {
    const environment = { TILLGATE_PORT: "80", TILLGATE_PUBLIC_HOST: "a b", STORE_DATABASE_URL: "x" };
    expect(() => read([], environment)).toThrow(
      /^TILLGATE_PORT: .*\nTILLGATE_PUBLIC_HOST: .*\nSTORE_DATABASE_URL: .*$/,
    );
  });

  it("resolves a relative data directory against the project", () => {
    expect(read([], { TILLGATE_DATA_DIR: "demo" }).dataDirectory).toBe("/project/demo");
    expect(read([], { TILLGATE_DATA_DIR: "/var/demo" }).dataDirectory).toBe("/var/demo");
  });

  it.each(["4000x", "-1", "1e4", "0x10", "99999", "80"])(
    "rejects TILLGATE_PORT=%s with a one-line error",
    (port) => {
      expect(() => read([], { TILLGATE_PORT: port })).toThrow(/^TILLGATE_PORT: must be a whole number.*$/);
    },
  );

  it("rejects an unknown flag and lists the valid ones", () => {
    expect(() => read(["--lann"])).toThrow(/--lann[\s\S]*--lan /);
  });

  it("accepts TILLGATE_PUBLIC_HOST with or without --lan", () => {
    expect(read([], { TILLGATE_PUBLIC_HOST: "demo.local" }).publicHost).toBe("demo.local");
    expect(read(["--lan"], { TILLGATE_PUBLIC_HOST: "192.168.1.9" }).publicHost).toBe("192.168.1.9");
  });

  it.each(["http://demo", "demo:4000", "demo/path", "a b", "<script>", "-demo"])(
    "rejects %s as a public host",
    (host) => {
      expect(() => read([], { TILLGATE_PUBLIC_HOST: host })).toThrow(/TILLGATE_PUBLIC_HOST: must be/);
    },
  );

  it.each([
    [["--lan"], {}],
    [[], { TILLGATE_PUBLIC_HOST: "demo.local" }],
  ])("never opens the sandbox to the network in production (%j %j)", (commandLine, environment) => {
    expect(() => read(commandLine, { ...environment, TILLGATE_ENVIRONMENT: "production" })).toThrow(
      /not allowed when TILLGATE_ENVIRONMENT is production/,
    );
  });

  it.each(["mysql://u@h/db", "localhost:5432", "postgresql://user@host:5432"])(
    "rejects %s as DATABASE_URL without repeating it",
    (url) => {
      const attempt = () => read([], { DATABASE_URL: url });
      expect(attempt).toThrow(/^DATABASE_URL: must be like postgresql:/);
      expect(attempt).not.toThrow(url);
    },
  );
});
