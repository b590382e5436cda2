import type { enTills } from "./en-tills";

/** The same in French. */
export const frTills: Record<keyof typeof enTills, string> = {
  "nav.tills": "Caisses",
  "till.make": "Ajouter une caisse",
  "till.made": "La caisse est prête.",
  "till.name": "Nom",
  "till.nameHint": "Comme votre équipe l’appelle : Comptoir, Bar.",
  "till.terminal": "Identifiant du terminal",
  "till.terminalHint": "Figure sur chacune de ses commandes, 64 caractères au plus. Il ne change pas.",
  "till.none": "Pas encore de caisse",
  "till.noneText":
    "Une caisse fait d’un téléphone ou d’une tablette un lieu de paiement : tapez un montant, le client scanne le code.",
  "till.paused": "en pause",
  "till.code": "Code imprimé",
  "till.showCode": "Afficher",
  "till.change": "Modifier",
  "till.pause": "Mettre en pause",
  "till.resume": "Rouvrir",
  "till.lost":
    "La connexion est perdue. Cette caisse continue d’essayer ; appuyer encore ne crée pas de seconde commande.",
  "till.charge": "Encaisser",
  "till.amountIn": "Montant en {currency}",
  "till.erase": "Effacer le dernier chiffre",
  "till.note": "Note",
  "till.scan": "Code QR pour payer {amount}",
  "till.waits": "En attente du paiement. Temps restant :",
  "till.cancel": "Annuler",
  "till.cancelNow": "Oui, annuler",
  "till.paid": "Payé",
  "till.cancelled": "Annulé",
  "till.expired": "Le délai est passé",
  "till.next": "Client suivant",
  "till.receipt": "Reçu",
  "till.codeOf": "Code de {name}",
  "till.codeText":
    "Imprimez-le et posez-le sur le comptoir. Il ouvre toujours la commande en cours à cette caisse, et attend tant qu’il n’y en a pas.",
  "till.codePrinted": "{merchant} : scannez pour payer",
  "till.print": "Imprimer",
  "refusal.till_paused": "Cette caisse est en pause.",
  "refusal.terminal_taken": "Une caisse a déjà cet identifiant de terminal.",
  "refusal.too_many_tills": "Il y a autant de caisses que possible.",
};
