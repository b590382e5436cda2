import type { Connector } from "../connector.js";
import { ConnectorError } from "../connector-error.js";

export class Stores {
  readonly #connectors: ReadonlyMap<string, Connector>;

  constructor(connectors: readonly Connector[]) {
    this.#connectors = new Map(connectors.map((connector) => [connector.settings.storeId, connector]));
  }

  all(): Connector[] {
    return [...this.#connectors.values()];
  }

  /** @throws ConnectorError `store_not_found` */
  find(storeId: string): Connector {
    const connector = this.#connectors.get(storeId);
    if (connector === undefined) throw new ConnectorError("store_not_found", "Store not found");
    return connector;
  }
}
