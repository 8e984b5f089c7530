//! An editor's decisions: committed under the story's lock before anybody says that they are made.
