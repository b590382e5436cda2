/** Settings that cannot be used; the message has one line per setting and no value of a secret. */
export class ConfigError extends Error {}
