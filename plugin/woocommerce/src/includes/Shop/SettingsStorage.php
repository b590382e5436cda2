<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Payments\RuleContext;

/**
 * Keeps the client secret out of the gateway's settings, whichever way it is saved (form, REST, command line): it is stored
 * separately, encrypted, and never comes back. A secret in the field of the client ID is not stored at all.
 */
final class SettingsStorage
{
    /** Changes with every secret that is saved: WordPress calls it a failure where nothing of an option changes. */
    private const SAVED_MARKER = 'client_secret_saved';

    public function addHooks(): void
    {
        add_filter('pre_update_option_' . Settings::OPTION, [$this, 'extractSecret'], 10, 2);
        add_filter('woocommerce_gateway_' . RuleContext::PAYMENT_METHOD . '_settings_values', [$this, 'extractSecretFromRest'], 10, 2);
        add_filter('rest_request_before_callbacks', [$this, 'rejectInRest'], 10, 3);
    }

    /**
     * @param mixed $settings
     * @param mixed $before
     * @return mixed
     */
    public function extractSecret($settings, $before = [])
    {
        if (!is_array($settings)) {
            return $settings;
        }
        $before = is_array($before) ? $before : [];
        $clientId = trim((string) ($settings['client_id'] ?? ''));
        $secret = trim((string) ($settings['client_secret'] ?? ''));
        $settings['client_secret'] = '';
        if (CredentialFormat::clientIdError($clientId) !== null || ($clientId !== '' && $clientId === $secret)) {
            // The form or REST reports it to the person who saves; on the command line the option does not change.
            $clientId = trim((string) ($before['client_id'] ?? ''));
            $settings['client_id'] = $clientId;
        }
        if (CredentialFormat::secretError($secret) !== null) {
            $secret = '';
        }
        $mode = ($settings['mode'] ?? '') === 'live' ? 'live' : 'sandbox';
        $modeBefore = ($before['mode'] ?? '') === 'live' ? 'live' : 'sandbox';
        if ($mode !== $modeBefore && $secret === '' && $clientId === trim((string) ($before['client_id'] ?? ''))) {
            // Only the mode was changed: each keeps its own keys. One that has none says so, and does not show the other's.
            $isOfOther = $clientId === Credentials::currentClientId($modeBefore);
            $clientId = Credentials::currentClientId($mode) ?? ($isOfOther ? '' : $clientId);
            $settings['client_id'] = $clientId;
        }
        $address = trim((string) ($settings['address'] ?? $before['address'] ?? (new Settings())->apiUrl()));
        Credentials::save($mode, $clientId, $secret === '' ? null : $secret, $address);
        if ($secret !== '') {
            $settings[self::SAVED_MARKER] = bin2hex(random_bytes(8));
        }
        return $settings;
    }

    /**
     * WooCommerce's REST API answers with what the gateway holds after it was saved.
     *
     * @param mixed $settings
     * @param mixed $gateway
     * @return mixed
     */
    public function extractSecretFromRest($settings, $gateway)
    {
        if (!is_array($settings)) {
            return $settings;
        }
        $taken = $this->extractSecret($settings, get_option(Settings::OPTION, []));
        if ($gateway instanceof \WC_Payment_Gateway) {
            $gateway->settings = $taken;
        }
        return $taken;
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
        $isOurs = preg_match('~^/wc/v\d+/payment_gateways/' . RuleContext::PAYMENT_METHOD . '$~D', $request->get_route()) === 1;
        if (!$isOurs || is_wp_error($response)) {
            return $response;
        }
        $settings = $request['settings'] ?? null;
        $why = is_array($settings)
            ? CredentialFormat::clientIdError(trim((string) ($settings['client_id'] ?? '')))
                ?? CredentialFormat::secretError(trim((string) ($settings['client_secret'] ?? '')))
            : null;
        return $why === null ? $response : new \WP_Error('rest_setting_value_invalid', $why, ['status' => 400]);
    }
}
