/** Settings that cannot be used. The message has one line per mistake, each beginning with the setting's name, and no value. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}
