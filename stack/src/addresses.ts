import type { Ports } from "./ports.js";

/** The demo shop's name at the connector. */
export const STORE_ID = "demo";

/** Where services listen and how they are reached. */
export type Addresses = {
  /** The address every service binds: this machine only, or every network. */
  listenHost: string;
  /** What browsers and phones use. */
  public: ServiceUrls;
  /** What the services use among themselves. */
  internal: ServiceUrls;
};

export type ServiceUrls = { api: string; pay: string; dashboard: string; store: string; connector: string };

/** @param publicHost undefined when only this machine shall reach the services. */
export function addressesOf(ports: Ports, publicHost: string | undefined): Addresses {
  const urlsAt = (host: string): ServiceUrls => ({
    api: `http://${host}:${ports.api}`,
    pay: `http://${host}:${ports.pay}`,
    dashboard: `http://${host}:${ports.dashboard}`,
    store: `http://${host}:${ports.store}`,
    connector: `http://${host}:${ports.connector}`,
  });
  return {
    listenHost: publicHost === undefined ? "127.0.0.1" : "0.0.0.0",
    public: urlsAt(publicHost ?? "localhost"),
    internal: urlsAt("127.0.0.1"),
  };
}
