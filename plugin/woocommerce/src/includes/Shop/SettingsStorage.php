<?php

namespace Tillgate\WooCommerce\Shop;

/**
 * Keeps the client secret out of the gateway's settings, whichever way it is saved (form, REST, command line): it is
 * stored by itself, encrypted, and never comes back.
 */
final class SettingsStorage
{
    public function addHooks(): void
    {
        add_filter('pre_update_option_' . Settings::OPTION, [$this, 'takeSecret']);
    }

    /**
     * @param mixed $settings
     * @return mixed
     */
    public function takeSecret($settings)
    {
        if (!is_array($settings)) {
            return $settings;
        }
        $secret = trim((string) ($settings['client_secret'] ?? ''));
        $settings['client_secret'] = '';
        $mode = ($settings['mode'] ?? '') === 'live' ? 'live' : 'sandbox';
        $clientId = trim((string) ($settings['client_id'] ?? ''));
        Credentials::save($mode, $clientId, $secret === '' ? null : $secret);
        return $settings;
    }
}
