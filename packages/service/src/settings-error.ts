/** The message has one line per error, starting with the setting's name and without values. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}
