import type { Ports } from "./ports.js";

/** The demo shop's ID in the connector. */
export const STORE_ID = "demo";

export type Addresses = {
  /** Address on which the services listen: loopback or all interfaces. */
  listenHost: string;
  /** URLs for browsers and phones. */
  public: ServiceUrls;
  /** URLs for calls between the services. */
  internal: ServiceUrls;
};

export type ServiceUrls = { api: string; pay: string; dashboard: string; store: string; connector: string };

/** @param publicHost host name by which other devices reach this machine; if undefined, the services listen on loopback only. */
export function toAddresses(ports: Ports, publicHost: string | undefined): Addresses {
  const createUrls = (host: string): ServiceUrls => ({
    api: `http://${host}:${ports.api}`,
    pay: `http://${host}:${ports.pay}`,
    dashboard: `http://${host}:${ports.dashboard}`,
    store: `http://${host}:${ports.store}`,
    connector: `http://${host}:${ports.connector}`,
  });
  return {
    listenHost: publicHost === undefined ? "127.0.0.1" : "0.0.0.0",
    public: createUrls(publicHost ?? "localhost"),
    internal: createUrls("127.0.0.1"),
  };
}
