/** The first letter and the domain of an address. */
export const maskEmail = (email: string): string =>
  `${email.slice(0, 1)}•••${email.slice(email.indexOf("@"))}`;

/** The beginning and the last two digits of a number. */
export const maskPhone = (phone: string): string => `${phone.slice(0, 3)}•••${phone.slice(-2)}`;

/** The first letter of a name. */
export const maskName = (name: string): string => `${[...name][0] ?? ""}•••`;

/** An amount that is hidden, in the form of an amount. */
export const maskAmount = (currency: string): string => `••• ${currency}`;
