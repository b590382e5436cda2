/** What a form says when a field breaks a rule of the contract. */
export const enRules = {
  "rule.Displayable": "Remove control characters and characters that change the direction of text.",
  "rule.AboveZero": "Please enter more than zero.",
  "rule.TwoDecimals": "Two decimals are the most here.",
  "rule.OwnCurrency": "You have no wallet in this currency.",
  "rule.ActiveCurrency": "This currency is not active.",
  "rule.WebAddress":
    "Please enter a whole address that begins with https://, without a user name or password.",
  "rule.HttpsInLive": "In live mode the address must begin with https://.",
  "rule.PublicAddress": "In live mode the address must be on the public internet.",
  "rule.RealDay": "Please enter a day of the calendar.",
  "rule.IsoTime": "Please enter a day and a time.",
  "rule.LaterThanFrom": "The end must be later than the beginning.",
  "rule.NotLaterThanNow": "Please enter a time in the past.",
  "rule.FewerEvents": "One replay sends 100,000 events at the most. Please send the range in parts.",
  "rule.PhoneWithCountry": "Enter the phone number with its country code, such as +33 6 12 34 56 78.",
  "rule.RequiredWithoutEmail": "Please enter a phone number or an e-mail address.",
  "rule.NotWithPhone": "Please enter a phone number or an e-mail address, not both.",
  "rule.WorthAUnit": "This amount is too small or too large in the recipient’s currency.",
  "rule.tooLong": "{value} characters are the most here.",
  "rule.atLeast": "Please enter {value} at least.",
  "rule.atMost": "{value} is the most here.",
  "rule.decimals":
    "{value, plural, =0 {Enter a whole amount, without decimals.} one {Enter at most one decimal.} other {Enter at most # decimals.}}",
  "rule.WholeSeconds": "Please enter whole seconds.",
  "rule.wholeNumber": "Please enter a whole number from {least} to {most}.",
  "rule.oneOf": "Please choose one of {value}.",
} as const;
