"""The local RAG system; knows nothing of Qt."""
