import type { enControls } from "./en-controls";

/** The same in French. */
export const frControls: Readonly<Record<keyof typeof enControls, string>> = {
  "controls.text":
    "Des pannes et des échéances à la demande, pour que les tests de votre boutique rencontrent ce qu’elle doit surmonter. Un contrôle touche vos prochains appels, webhooks, paiements ou versements dans ce bac à sable, le plus ancien d’abord, et prend fin après une heure.",
  "controls.payouts":
    "Le sort d’un versement qui attend est décidé par votre programme, avec sa propre clé :",
  "controls.now": "En vigueur maintenant",
  "controls.none": "Aucun contrôle n’est en vigueur. Tout se passe comme d’habitude.",
  "controls.control": "Contrôle",
  "controls.left": "Reste",
  "controls.holds": "Secondes",
  "controls.until": "Jusqu’à",
  "controls.clear": "Tout lever",
  "controls.clearText": "Les webhooks retenus par un contrôle partent aussitôt.",
  "controls.cleared":
    "{count, plural, =0 {Il ne restait aucun contrôle.} one {# contrôle est levé.} other {# contrôles sont levés.}}",
  "controls.order": "Demander un contrôle",
  "controls.ordered": "Le contrôle est en vigueur.",
  "controls.count": "Combien de fois",
  "controls.countHint":
    "Combien d’appels, de webhooks, de paiements ou de versements il touche : 1 à {most}.",
  "controls.seconds": "Secondes",
  "controls.secondsHint":
    "Seulement pour un contrôle qui parle de ses secondes : 1 à {most}, et {standard} si vous laissez ce champ vide.",
  "controls.time": "Amener quelque chose à sa fin",
  "controls.timeText": "Au lieu de l’attendre. Une fin ne vient que plus tôt, jamais plus tard.",
  "controls.kind": "Quoi",
  "controls.id": "Son identifiant",
  "controls.idHint":
    "L’identifiant de la commande ou du devis, le jeton de recherche, ou l’identifiant client dont l’ancien secret prend fin.",
  "controls.moment": "Quand",
  "controls.bring": "Amener à sa fin",
  "controls.brought.before_end": "La fin vient dans les {seconds} secondes.",
  "controls.brought.after_end": "La fin est passée.",
  "control.call_unavailable": "Appel API : reçoit 503 et ne fait rien",
  "control.call_rate_limited": "Appel API : reçoit 429 et ne fait rien",
  "control.call_timeout": "Appel API : ne fait rien et est coupé après ses secondes",
  "control.call_answer_lost": "Appel API : est exécuté, et sa réponse se perd",
  "control.delivery_late": "Webhook : arrive après ses secondes",
  "control.delivery_twice": "Webhook : arrive deux fois",
  "control.delivery_reversed": "Webhook : arrive après le suivant, ou après ses secondes",
  "control.delivery_never": "Webhook : n’arrive pas",
  "control.delivery_badly_signed": "Webhook : arrive mal signé, puis comme il faut",
  "control.payment_insufficient": "Paiement : est refusé, car le portefeuille n’a pas assez",
  "control.payment_converted": "Paiement : vient d’un portefeuille dans une autre devise",
  "control.payout_waits": "Versement par l’API : attend une décision",
  "ending.order": "Commande",
  "ending.quote": "Devis d’un versement",
  "ending.lookup_token": "Jeton de recherche d’un destinataire",
  "ending.credential": "Ancien secret d’une clé renouvelée",
  "moment.before_end": "À {seconds} secondes de sa fin",
  "moment.after_end": "Après sa fin",
  "refusal.nothing_that_ends":
    "Rien avec cet identifiant ne peut être amené à sa fin : inconnu, réglé, utilisé ou déjà terminé, ou aucun renouvellement de son secret n’est en cours.",
  "refusal.too_many_test_controls":
    "Il y a autant de contrôles qu’il peut y en avoir. Levez-les, ou laissez-les servir.",
};
