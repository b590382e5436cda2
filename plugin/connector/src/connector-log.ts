/** Where the connector says what it does; pino's logger is one. */
export interface ConnectorLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}
