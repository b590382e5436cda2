import type { enSettings } from "./en-settings";

/** The same in French. */
export const frSettings: Readonly<Record<keyof typeof enSettings, string>> = {
  "nav.settings": "Réglages",
  "settings.profile": "Profil",
  "settings.name": "Nom",
  "settings.id": "Identifiant du marchand",
  "settings.partnerApi": "API partenaire (versements)",
  "settings.refundsNeedApproval": "Les remboursements attendent un administrateur",
  "settings.askAdministrator": "Un administrateur modifie ces réglages.",
  "settings.brand": "Page de paiement",
  "settings.brandName": "Nom affiché aux acheteurs",
  "settings.brandNameHint": "Laissé vide, les acheteurs lisent « {name} ».",
  "settings.accent": "Couleur des boutons",
  "settings.accentHint": "Six chiffres, par exemple #0b7a75. Laissé vide, c’est le bleu de Tillgate.",
  "settings.try": "Aperçu",
  "settings.tried": "Ceci est un aperçu : rien n’est encore enregistré.",
  "settings.logo": "Image",
  "settings.logoHint": "PNG, JPEG ou WebP, 128 Kio au plus, de 16 à 1 024 pixels de large et de haut.",
  "settings.addLogo": "Ajouter un logo",
  "settings.changeLogo": "Changer le logo",
  "settings.removeLogo": "Retirer le logo",
  "settings.preview.light": "La page de paiement de {name} sur un écran clair",
  "settings.preview.dark": "La page de paiement de {name} sur un écran sombre",
  "settings.preview.order": "Commande 1042",
  "settings.preview.pay": "Payer",
  "settings.ground.light": "Écrans clairs.",
  "settings.ground.dark": "Écrans sombres.",
  "settings.contrast.text": "Le texte du bouton a un contraste de {ratio} : 1.",
  "settings.contrast.fits": "Le bouton se détache de la page avec {ratio} : 1.",
  "settings.contrast.shifted":
    "Votre couleur n’a que {ratio} : 1 avec la page, trop peu pour être vue. La page y utilise {color}, la nuance visible la plus proche.",
  "settings.embed": "Paiements dans vos propres pages",
  "settings.embedExplanation":
    "Les pages de ces adresses peuvent afficher un paiement dans une fenêtre ou un cadre. Le navigateur refuse toutes les autres.",
  "settings.origins.sandbox": "Adresses de votre boutique (bac à sable)",
  "settings.origins.live": "Adresses de votre boutique (réel)",
  "settings.originsHint.sandbox":
    "Une par ligne, par exemple http://localhost:4003. Ce qui suit l’hôte est retiré. 20 au plus.",
  "settings.originsHint.live":
    "Une par ligne, par exemple https://boutique.example. Ce qui suit l’hôte est retiré. 20 au plus.",
  "settings.originsNone": "Aucune",
  "error.origin": "Écrivez des adresses qui commencent par https:// ou http://, une par ligne.",
  "error.liveOrigin":
    "Écrivez des adresses qui commencent par https://, une par ligne. Les paiements réels l’exigent.",
  "error.tooManyOrigins": "Vingt adresses au plus.",
  "settings.notices": "Notifications par e-mail",
  "settings.noticeEmail": "Points de terminaison en échec",
  "settings.noticeEmailHint": "Laissé vide, chaque membre de ce marchand reçoit l’e-mail.",
  "settings.noticeEmailNone": "Chaque membre",
  "settings.mails.approvals": "Ce qui attend une approbation",
  "settings.mailsHint.approvals":
    "Remboursements et versements qui attendent un administrateur : un e-mail par heure au plus. Jusqu’à cinq adresses, séparées par des virgules.",
  "settings.mails.summary": "Résumé quotidien",
  "settings.mailsHint.summary":
    "Ce que la veille a apporté et ce qui demande votre attention : un e-mail après minuit UTC. Jusqu’à cinq adresses, séparées par des virgules.",
  "settings.nobody": "Personne",
  "error.tooManyAddresses": "Cinq adresses au plus.",
  "account.timeZone": "Fuseau horaire affiché",
  "account.timeZoneHint":
    "Actuellement : {zone}. Les jours des listes, graphiques, relevés et exports sont ceux de ce fuseau.",
  "account.timeZoneOfBrowser": "Le fuseau de mon navigateur",
  "error.colour": "Écrivez la couleur avec # et six chiffres, par exemple #0b7a75.",
  "error.logoTooLarge": "L’image dépasse 128 Kio. Réduisez-la et réessayez.",
  "error.logo": "Ce n’est pas une image PNG, JPEG ou WebP de 16 à 1 024 pixels de large et de haut.",
  "error.email": "Veuillez saisir une adresse e-mail.",
};
