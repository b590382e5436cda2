<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Plugin;

/** Removes the client secret from the settings, however they are saved (form, REST API, WP-CLI), and stores it encrypted. */
final class SettingsStorage
{
    /** Changes with every saved secret, because update_option() returns false if the value is unchanged. */
    private const SAVED_MARKER = 'client_secret_saved';

    public function addHooks(): void
    {
        add_filter('pre_update_option_' . Settings::OPTION, [$this, 'extractSecret'], 10, 2);
        add_filter('woocommerce_gateway_' . Plugin::GATEWAY_ID . '_settings_values', [$this, 'extractSecretFromRest'], 10, 2);
        add_filter('rest_request_before_callbacks', [$this, 'rejectInRest'], 10, 3);
    }

    /** Stores the secret separately, and returns the settings without it. */
    public function extractSecret($settings, $previous = [])
    {
        if (!is_array($settings)) {
            return $settings;
        }
        $previous = is_array($previous) ? $previous : [];
        $clientId = trim((string) ($settings['client_id'] ?? ''));
        $secret = trim((string) ($settings['client_secret'] ?? ''));
        $settings['client_secret'] = '';
        if (CredentialFormat::clientIdError($clientId) !== null || ($clientId !== '' && $clientId === $secret)) {
            // The form and the REST API report the error; with WP-CLI, the previous client ID is kept.
            $clientId = trim((string) ($previous['client_id'] ?? ''));
            $settings['client_id'] = $clientId;
        }
        if (CredentialFormat::secretError($secret) !== null) {
            $secret = '';
        }
        $mode = ($settings['mode'] ?? '') === 'live' ? 'live' : 'sandbox';
        $previousMode = ($previous['mode'] ?? '') === 'live' ? 'live' : 'sandbox';
        if ($mode !== $previousMode && $secret === '' && $clientId === trim((string) ($previous['client_id'] ?? ''))) {
            // Only the mode was changed: switch to its client ID, or to none.
            $isOtherModes = $clientId === Credentials::currentClientId($previousMode);
            $clientId = Credentials::currentClientId($mode) ?? ($isOtherModes ? '' : $clientId);
            $settings['client_id'] = $clientId;
        }
        $address = trim((string) ($settings['address'] ?? $previous['address'] ?? (new Settings())->apiUrl()));
        Credentials::save($mode, $clientId, $secret === '' ? null : $secret, $address);
        if ($secret !== '') {
            $settings[self::SAVED_MARKER] = bin2hex(random_bytes(8));
        }
        return $settings;
    }

    /** WooCommerce's REST API returns the gateway's settings after saving, so the secret is removed from them too. */
    public function extractSecretFromRest($settings, $gateway)
    {
        if (!is_array($settings)) {
            return $settings;
        }
        $stored = $this->extractSecret($settings, get_option(Settings::OPTION, []));
        if ($gateway instanceof \WC_Payment_Gateway) {
            $gateway->settings = $stored;
        }
        return $stored;
    }

    /**
     * @param mixed            $response
     * @param mixed            $handler
     * @param \WP_REST_Request $request
     * @return mixed
     */
    public function rejectInRest($response, $handler, $request)
    {
        unset($handler);
        $isTillgate = preg_match('~^/wc/v\d+/payment_gateways/' . Plugin::GATEWAY_ID . '$~D', $request->get_route()) === 1;
        if (!$isTillgate || is_wp_error($response)) {
            return $response;
        }
        $settings = $request['settings'] ?? null;
        $error = is_array($settings)
            ? CredentialFormat::clientIdError(trim((string) ($settings['client_id'] ?? '')))
                ?? CredentialFormat::secretError(trim((string) ($settings['client_secret'] ?? '')))
            : null;
        return $error === null ? $response : new \WP_Error('rest_setting_value_invalid', $error, ['status' => 400]);
    }
}
