//! Skills: texts that teach an agent one kind of work, in the format of <https://agentskills.io/specification>.
//!
//! Knows what may stand in a `SKILL.md` and in an `AGENTS.md`, and which agent's prompts it may join. Reads no file but the text it is given,
//! and runs nothing that lies beside it.

mod agents;
mod front_matter;
mod problem;
mod profile;
mod skill;

pub use agents::{LOAD_SKILL, ON_DEMAND, SKILLED_AGENTS, SkilledAgent, has_tools, is_of_research};
pub use front_matter::LARGEST_SKILL;
pub use problem::SkillProblem;
pub use profile::AgentProfile;
pub use skill::Skill;
