import { createServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { assignPorts, findFreeBasePort, rejectTakenPorts } from "../../src/ports.js";

describe("assignPorts", () => {
  it("assigns every service a fixed offset from the base port", () => {
    expect(assignPorts(4000)).toEqual({
      api: 4000,
      pay: 4001,
      dashboard: 4002,
      store: 4003,
      connector: 4004,
      postgresql: 4005,
    });
  });

  it.each([0, 80, 1023, 65_531, 65_535, 4000.5, Number.NaN])("rejects the base port %s", (base) => {
    expect(() => assignPorts(base)).toThrow(/TILLGATE_PORT must be a whole number from 1024 to 65530/);
  });
});

describe("rejectTakenPorts", () => {
  const servers: Server[] = [];
  const occupy = async (port: number, host?: string) => {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen({ port, host }, resolve));
  };
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  });

  it("accepts free ports", async () => {
    const ports = assignPorts(await findFreeBasePort());
    await expect(rejectTakenPorts(ports, ["api", "pay", "postgresql"], "127.0.0.1")).resolves.toBeUndefined();
  });

  it("reports a port in use on a single line, with its service and how to choose other ports", async () => {
    const ports = assignPorts(await findFreeBasePort());
    await occupy(ports.store, "127.0.0.1");
    const rejected = rejectTakenPorts(ports, ["api", "pay", "store"], "127.0.0.1");
    await expect(rejected).rejects.toThrow(
      `Port ${ports.store} (store) is already in use by another program; ` +
        `stop it, or choose other ports: TILLGATE_PORT=${ports.api + 1000} npm start`,
    );
    await expect(rejected).rejects.not.toThrow(/\n/);
  });

  it("reports all ports in use together", async () => {
    const ports = assignPorts(await findFreeBasePort());
    await occupy(ports.api, "127.0.0.1");
    await occupy(ports.postgresql, "127.0.0.1");
    await expect(rejectTakenPorts(ports, ["api", "pay", "postgresql"], "0.0.0.0")).rejects.toThrow(
      `Ports ${ports.api} (api), ${ports.postgresql} (postgresql) are already in use`,
    );
  });

  it("reports a port that another program uses on all addresses", async () => {
    const ports = assignPorts(await findFreeBasePort());
    await occupy(ports.pay);
    await expect(rejectTakenPorts(ports, ["pay"], "127.0.0.1")).rejects.toThrow(`Port ${ports.pay} (pay)`);
  });

  it("checks only the ports of the services that start", async () => {
    const ports = assignPorts(await findFreeBasePort());
    await occupy(ports.dashboard, "127.0.0.1");
    await expect(rejectTakenPorts(ports, ["api", "store"], "127.0.0.1")).resolves.toBeUndefined();
  });
});
