import type { webhooks as english } from "#texts/en/webhooks.ts";

export const webhooks: Readonly<Record<keyof typeof english, string>> = {
  "webhooks.add": "Ajouter un point de terminaison",
  "webhooks.added": "Point de terminaison ajouté. Envoyez un événement de test pour le vérifier.",
  "webhooks.address": "URL",
  "webhooks.addressHint":
    "L’URL à laquelle votre boutique reçoit les webhooks. HTTPS est obligatoire en production.",
  "webhooks.events": "Événements",
  "webhooks.none": "Aucun point de terminaison",
  "webhooks.noneText": "Recevez une notification dès qu’une commande est payée.",
  "webhooks.verified": "Vérifié",
  "webhooks.lastSuccess": "Dernier succès",
  "webhooks.lastFailure": "Dernier échec",
  "webhooks.cause": "Cause probable",
  "webhooks.failuresInRow": "Échecs consécutifs",
  "webhooks.oldSecretUntil": "Expiration de l’ancien secret",
  "webhooks.secret": "Secret de signature",
  "webhooks.signingSecret": "Votre boutique l’utilise pour vérifier les signatures",
  "webhooks.receiver": "Exemple de code",
  "webhooks.deliveries": "Envois",
  "webhooks.onlyFailed": "En échec",
  "webhooks.noDeliveries": "Aucun envoi",
  "webhooks.test": "Envoyer un événement de test",
  "webhooks.testArrived": "Événement de test reçu (HTTP {status}, {ms} ms).",
  "webhooks.testFailed": "L’événement de test a échoué. {cause}",
  "webhooks.pause": "Mettre en pause",
  "webhooks.resume": "Reprendre",
  "webhooks.enable": "Réactiver",
  "webhooks.rotate": "Renouveler le secret",
  "webhooks.rotateText":
    "Pendant un jour, les événements sont signés avec l’ancien et le nouveau secret : vous pouvez mettre à jour votre boutique sans interruption.",
  "webhooks.remove": "Supprimer",
  "webhooks.removeText":
    "Plus aucun événement ne lui sera envoyé. Les envois passés restent dans la liste des événements.",
  "webhooks.done.pause": "En pause. Les événements sont conservés jusqu’à la reprise.",
  "webhooks.done.resume": "Envois repris.",
  "webhooks.done.enable": "Réactivé.",
  "webhooks.done.remove": "Supprimé.",
  "webhooks.allDeliveries": "Tous les envois",
  "delivery.event": "Événement",
  "delivery.attempts": "Tentatives",
  "delivery.noAttempts": "Aucune tentative.",
  "delivery.response": "Réponse {status}",
  "delivery.responseBody": "Corps de la réponse",
  "delivery.body": "Corps de la requête",
  "delivery.nextAttempt": "Prochaine tentative",
  "delivery.failureReason": "Cause de l’échec",
  "delivery.reason.attempts_over": "La dernière tentative a échoué",
  "delivery.reason.gone": "Le point de terminaison a répondu 410 (Gone)",
  "delivery.reason.receiver_disabled": "Le point de terminaison a été désactivé",
  "delivery.reason.receiver_removed": "Le point de terminaison a été supprimé",
  "delivery.reason.test_control": "Bloqué par une simulation",
  "delivery.resend": "Renvoyer",
  "delivery.resent": "Renvoi en cours.",
  "delivery.alreadyQueued": "Cet envoi est déjà en file d’attente.",
  "replay.title": "Renvoyer tous les événements dans l’ordre",
  "replay.text":
    "Pour une boutique qui a perdu ses données : renvoie chaque événement d’une période, un par un, dans l’ordre chronologique.",
  "replay.to": "Au ({zone}), par défaut maintenant",
  "replay.preview": "Aperçu",
  "replay.invalid": "Le début doit être dans le passé et la fin postérieure au début.",
  "replay.nothing": "Ce point de terminaison n’a aucun événement sur cette période.",
  "replay.would": "{total, plural, one {# événement sera envoyé.} other {# événements seront envoyés.}}",
  "replay.first": "Premiers événements :",
  "replay.skip": "Ignorer les échecs",
  "replay.button": "{total, plural, one {Renvoyer # événement} other {Renvoyer # événements}}",
  "replay.started":
    "{total, plural, =0 {Rien à envoyer.} one {Renvoi de # événement en cours.} other {Renvoi de # événements en cours.}}",
  "replay.sent": "Envoyés",
  "replay.progress": "{sent} sur {total}{failed, plural, =0 {} one {, # échec} other {, # échecs}}",
  "replay.stoppedBy": "Envoi en échec",
  "replay.range": "Période",
  "replay.cancel": "Annuler",
  "replay.resume": "Reprendre",
  "replay.done.cancel": "Renvoi annulé.",
  "replay.done.resume": "Reprise à l’événement qui a échoué.",
  "resend.title": "Renvoyer les événements d’une période",
  "resend.text":
    "Renvoie une fois les webhooks sélectionnés des événements de cette période, du plus ancien au plus récent. Les nouveaux événements sont prioritaires.",
  "resend.from": "Du ({zone})",
  "resend.to": "Au ({zone})",
  "resend.what": "Envois",
  "resend.failed": "En échec uniquement",
  "resend.all": "Tous, y compris ceux déjà reçus",
  "resend.button": "Renvoyer",
  "resend.continue": "Renvoyer le reste",
  "resend.done":
    "{resent, plural, =0 {Rien à renvoyer.} one {Renvoi de # webhook en cours.} other {Renvoi de # webhooks en cours.}} {skipped, plural, =0 {} one {# ignoré, car son point de terminaison est désactivé.} other {# ignorés, car leurs points de terminaison sont désactivés.}}",
  "resend.more":
    "{resent, plural, one {Renvoi de # webhook en cours.} other {Renvoi de # webhooks en cours.}} {skipped, plural, =0 {} one {# ignoré, car son point de terminaison est désactivé.} other {# ignorés, car leurs points de terminaison sont désactivés.}} Il en reste : poursuivez le renvoi.",
  "missed.count": "Rechercher les événements manqués",
  "missed.nothing": "Aucun événement manqué.",
  "missed.title": "Événements manqués ({count})",
  "missed.text":
    "{never, plural, =0 {} one {# événement antérieur à l’ajout du point de terminaison ou survenu pendant sa désactivation. } other {# événements antérieurs à l’ajout du point de terminaison ou survenus pendant sa désactivation. }}{givenUp, plural, =0 {} one {# envoi en échec.} other {# envois en échec.}}",
  "missed.between": "Du {first} au {last}.",
  "missed.button": "Envoyer les événements manqués",
  "missed.done":
    "{sent, plural, =0 {Plus rien à envoyer.} one {Envoi de # événement en cours.} other {Envoi de # événements en cours.}}",
  "missed.more":
    "{sent, plural, one {Envoi de # événement en cours.} other {Envoi de # événements en cours.}} Il en reste : recherchez de nouveau les événements manqués.",
  "live.refresh": "Actualiser",
  "live.follow": "Suivre en direct",
  "cause.dns": "Le nom d’hôte ne peut pas être résolu. Vérifiez son orthographe et son enregistrement DNS.",
  "cause.tls":
    "Connexion sécurisée impossible. Vérifiez que le certificat est valide, complet et émis pour ce nom d’hôte.",
  "cause.timeout":
    "Le point de terminaison met trop de temps à répondre. Répondez d’abord 2xx et effectuez les traitements longs ensuite.",
  "cause.redirect":
    "Le point de terminaison redirige, et les redirections ne sont pas suivies. Saisissez l’URL finale.",
  "cause.refused_address":
    "L’adresse n’est pas accessible depuis Internet, ou n’est pas autorisée dans ce mode (production : https, ports 80 et 443 ; test : ports 80, 443 et à partir de 1024).",
  "cause.html_response":
    "Une page web a répondu à la place de votre point de terminaison : page de maintenance, page de connexion ou autre site. L’événement n’est pas considéré comme reçu.",
  "cause.connection":
    "Connexion impossible ou interrompue. Vérifiez que le serveur fonctionne et que son pare-feu nous laisse passer.",
  "cause.no_key": "Aucun secret client actif pour signer. Créez une clé API.",
  "cause.status_400":
    "Le point de terminaison rejette le corps de la requête. Vérifiez qu’il attend ces événements en JSON.",
  "cause.status_401":
    "Le point de terminaison rejette notre signature. Vérifiez qu’il utilise le secret actuel et calcule la signature sur le corps brut.",
  "cause.status_403":
    "Le point de terminaison refuse l’accès. Vérifiez le secret, ainsi que la présence d’un pare-feu ou d’une page de connexion.",
  "cause.status_404":
    "Il n’y a rien à cette URL. Vérifiez le chemin et assurez-vous que l’extension ou la route est active.",
  "cause.status_405": "L’URL n’accepte pas POST. Vérifiez le chemin.",
  "cause.status_410": "Le point de terminaison indique avoir été définitivement supprimé.",
  "cause.status_413":
    "Le point de terminaison juge le corps de la requête trop volumineux. Portez sa limite à quelques Kio au moins.",
  "cause.status_415": "Le point de terminaison n’accepte pas application/json.",
  "cause.status_429":
    "Le point de terminaison limite nos requêtes. Exemptez les webhooks de cette limite, ou relevez-la.",
  "cause.server_error":
    "Le point de terminaison renvoie une erreur interne ({status}). Consultez son journal.",
  "cause.other_status": "Le point de terminaison répond {status} au lieu de 2xx.",
  "cause.no_status": "Le point de terminaison ne répond pas 2xx.",
  "cause.web_page":
    "La réponse est une page web : l’URL est peut-être celle d’un site et non d’un point de terminaison.",
};
