import type { enDevelopers } from "./en-developers";

/** The same in French. */
export const frDevelopers: Readonly<Record<keyof typeof enDevelopers, string>> = {
  "developers.keys": "Clés",
  "developers.requests": "Requêtes API",
  "developers.reference": "Référence",
  "reference.title": "Référence de l’API",
  "reference.filled":
    "Une nouvelle clé du bac à sable est insérée ci-dessous. Son secret n’est affiché que maintenant : copiez ce qu’il vous faut avant de quitter cette page.",
  "reference.noKey":
    "Vous n’avez pas encore de clé. Créez-en une, et chaque ligne ci-dessous est prête à coller.",
  "reference.paste":
    "Les lignes ci-dessous contiennent votre identifiant client {id}. Mettez son secret à la place de CLIENT_SECRET : il n’a été affiché qu’à la création de la clé.",
  "reference.whole": "La référence complète, avec chaque champ",
  "reference.try": "Nouvelle clé d’essai du bac à sable",
  "reference.tryText":
    "Elle est insérée dans chaque ligne et fonctionne jusqu’à sa révocation sur la page des clés.",
  "webhooks.allDeliveries": "Toutes les livraisons",
  "live.refresh": "Actualiser",
  "live.follow": "Suivre en direct",
  "resend.title": "Renvoyer une période",
  "resend.text":
    "Les livraisons des événements de cette période sont renvoyées, chacune une fois, la plus ancienne d’abord. Les nouveaux événements passent avant.",
  "resend.from": "De ({zone})",
  "resend.to": "Jusqu’à ({zone})",
  "resend.what": "Quelles livraisons",
  "resend.failed": "Seulement celles qui ont été abandonnées",
  "resend.all": "Toutes, même celles qui sont arrivées",
  "resend.button": "Renvoyer",
  "resend.goOn": "Renvoyer le reste",
  "resend.done":
    "{resent, plural, =0 {Rien n’était à renvoyer.} one {# livraison est renvoyée.} other {# livraisons sont renvoyées.}} {skipped, plural, =0 {} one {# vise un point de réception désactivé et a été laissée.} other {# visent des points de réception désactivés et ont été laissées.}}",
  "resend.more":
    "{resent, plural, one {# livraison est renvoyée.} other {# livraisons sont renvoyées.}} {skipped, plural, =0 {} one {# vise un point de réception désactivé et a été laissée.} other {# visent des points de réception désactivés et ont été laissées.}} Il en reste : renvoyez le reste.",
  "missed.look": "Qu’a-t-il manqué ?",
  "missed.nothing": "Il n’a rien manqué de ce qui est conservé.",
  "missed.title": "Ce qu’il a manqué ({count})",
  "missed.text":
    "{never, plural, =0 {} one {# événement d’avant son ajout, ou pendant qu’il était désactivé. } other {# événements d’avant son ajout, ou pendant qu’il était désactivé. }}{givenUp, plural, =0 {} one {# livraison a été abandonnée.} other {# livraisons ont été abandonnées.}}",
  "missed.between": "Du {first} au {last}.",
  "missed.button": "Envoyer ce qu’il a manqué",
  "missed.done":
    "{sent, plural, =0 {Il ne restait rien à envoyer.} one {# événement est en route.} other {# événements sont en route.}}",
  "missed.more": "{sent, number} événements sont en route. Il y en a d’autres : envoyez encore.",
  "replay.title": "Rejeu",
  "replay.text":
    "Pour une boutique qui a perdu son état : chaque événement d’une période est renvoyé, l’un après l’autre, dans l’ordre où ils sont arrivés.",
  "replay.to": "Jusqu’à ({zone}), vide pour maintenant",
  "replay.preview": "Voir ce qui serait envoyé",
  "replay.wrong": "Veuillez choisir un début passé et une fin postérieure.",
  "replay.nothing": "Les événements de ce point de réception n’ont rien dans cette période.",
  "replay.would": "{total, plural, one {# événement serait envoyé.} other {# événements seraient envoyés.}}",
  "replay.first": "Les premiers :",
  "replay.skip": "Passer à l’événement suivant quand l’un échoue",
  "replay.button": "{total, plural, one {Renvoyer # événement} other {Renvoyer # événements}}",
  "replay.begun":
    "{total, plural, =0 {Rien n’était à envoyer.} one {# événement est renvoyé.} other {# événements sont renvoyés.}}",
  "replay.sent": "Envoyés",
  "replay.progress": "{sent} sur {total}{failed, plural, =0 {} one {, # échec} other {, # échecs}}",
  "replay.range": "Période",
  "replay.steps": "Actions",
  "replay.cancel": "Annuler",
  "replay.resume": "Reprendre",
  "replay.done.cancel": "Le rejeu est annulé.",
  "replay.done.resume": "Le rejeu reprend avec l’événement qui a échoué.",
  "error.time": "Veuillez saisir un jour et une heure.",
  "error.laterThanFrom": "Ceci doit être après le début.",
  "timeline.requests": "Requêtes API à ce sujet",
  "requests.title": "Requêtes API",
  "requests.none": "Pas encore de requête API",
  "requests.noneText": "Chaque appel des programmes de votre boutique apparaît ici en une ou deux secondes.",
  "requests.call": "Appel",
  "requests.at": "Quand",
  "requests.duration": "Durée",
  "requests.from": "Depuis",
  "requests.gap":
    "{count, plural, one {# appel n’a pas été conservé} other {# appels n’ont pas été conservés}} : ils arrivaient trop vite",
  "requests.kept":
    "Les appels sont conservés quelques jours. Secrets, jetons et coordonnées des personnes ne le sont jamais.",
  "requests.id": "Identifiant de requête",
  "requests.about": "Concerne",
  "requests.sent": "Ce qui a été envoyé",
  "requests.answered": "Ce qui a été répondu",
  "requests.noBody": "Non conservé : une lecture, un corps volumineux ou aucun.",
  "requests.masked":
    "••• remplace ce qui n’est jamais conservé : secrets, jetons et coordonnées des personnes.",
  "requests.filter.path": "Chemin",
  "requests.filter.method": "Méthode",
  "requests.filter.credential": "Clé",
  "requests.filter.request_id": "Identifiant de requête",
  "requests.filter.about": "Identifiant de commande, remboursement ou versement",
  "requests.filter.status": "état",
  "requests.filter.before": "page",
  "requests.status.2xx": "Réussies (2xx)",
  "requests.status.4xx": "Refusées (4xx)",
  "requests.status.5xx": "En échec (5xx)",
  "refusal.api_request_not_found": "Cet appel n’est plus conservé.",
};
