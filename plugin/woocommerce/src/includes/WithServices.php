<?php

namespace Tillgate\WooCommerce;

/** Constructor of a class whose only dependency is the service container. */
trait WithServices
{
    private Services $services;

    public function __construct(Services $services)
    {
        $this->services = $services;
    }
}
