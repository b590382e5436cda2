import type { enRules } from "./en-rules";

/** The same in French. */
export const frRules: Readonly<Record<keyof typeof enRules, string>> = {
  "rule.Displayable": "Retirez les caractères de contrôle et ceux qui changent le sens du texte.",
  "rule.AboveZero": "Veuillez saisir plus que zéro.",
  "rule.TwoDecimals": "Deux décimales au plus ici.",
  "rule.OwnCurrency": "Vous n’avez pas de portefeuille dans cette devise.",
  "rule.ActiveCurrency": "Cette devise n’est pas active.",
  "rule.WebAddress":
    "Veuillez saisir une adresse complète commençant par https://, sans nom d’utilisateur ni mot de passe.",
  "rule.HttpsInLive": "En mode réel, l’adresse doit commencer par https://.",
  "rule.PublicAddress": "En mode réel, l’adresse doit être sur l’internet public.",
  "rule.RealDay": "Veuillez saisir un jour du calendrier.",
  "rule.IsoTime": "Veuillez saisir un jour et une heure.",
  "rule.LaterThanFrom": "La fin doit être après le début.",
  "rule.NotLaterThanNow": "Veuillez saisir un moment passé.",
  "rule.FewerEvents":
    "Un renvoi comprend 100 000 événements au plus. Veuillez envoyer la plage en plusieurs parties.",
  "rule.PhoneWithCountry":
    "Saisissez le numéro de téléphone avec l’indicatif du pays, par exemple +33 6 12 34 56 78.",
  "rule.RequiredWithoutEmail": "Veuillez saisir un numéro de téléphone ou une adresse e-mail.",
  "rule.NotWithPhone": "Veuillez saisir un numéro de téléphone ou une adresse e-mail, pas les deux.",
  "rule.WorthAUnit": "Ce montant est trop petit ou trop grand dans la devise du destinataire.",
  "rule.tooLong": "{value} caractères au plus ici.",
  "rule.atLeast": "Veuillez saisir au moins {value}.",
  "rule.atMost": "{value} au plus ici.",
  "rule.decimals":
    "{value, plural, =0 {Saisissez un montant entier, sans décimales.} one {Saisissez une décimale au plus.} other {Saisissez # décimales au plus.}}",
  "rule.WholeSeconds": "Veuillez saisir des secondes entières.",
  "rule.wholeNumber": "Veuillez saisir un nombre entier de {least} à {most}.",
  "rule.oneOf": "Veuillez choisir parmi {value}.",
};
