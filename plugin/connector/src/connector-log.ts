/** Compatible with pino. */
export type ConnectorLog = {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
};

export const createStoreLog = (log: ConnectorLog, store: string): ConnectorLog => ({
  info: (fields, text) => log.info({ store, ...fields }, text),
  warn: (fields, text) => log.warn({ store, ...fields }, text),
  error: (fields, text) => log.error({ store, ...fields }, text),
});
