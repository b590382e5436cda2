/** The connector's log; pino's logger is one. */
export type ConnectorLog = {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
};

/** The same log, naming the store with everything that it says. */
export const logOfStore = (log: ConnectorLog, store: string): ConnectorLog => ({
  info: (fields, text) => log.info({ store, ...fields }, text),
  warn: (fields, text) => log.warn({ store, ...fields }, text),
  error: (fields, text) => log.error({ store, ...fields }, text),
});
